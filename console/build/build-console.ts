import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/**
 * Builds the web applications into a folder: `index.html` for operators, `portal.html` for partners,
 * `link.html` for links to one order, and scripts and styles whose names contain a hash of their content. The page has no inline code or style (Content-Security-Policy).
 */
export const buildConsole = async (folder: string): Promise<void> => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/main.tsx',
      portal: 'src/portal/main.tsx',
      link: 'src/link/main.tsx',
      style: 'src/style/style.css',
    },
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: 'part-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    target: ['chrome120', 'firefox121', 'safari17.4'],
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
  });
  const outputs = Object.keys(metafile.outputs).map((path) =>
    relative(folder, join(root, path)).replaceAll('\\', '/'),
  );
  const named = (pattern: RegExp) => outputs.find((path) => pattern.test(path))!;
  const style = named(/style-\w+\.css$/);
  const write = (name: string, title: string, script: string) =>
    writeFileSync(join(folder, name), page(title, script, style));
  write('index.html', 'Console', named(/main-\w+\.js$/));
  write('portal.html', 'Portal', named(/portal-\w+\.js$/));
  write('link.html', 'Transport', named(/link-\w+\.js$/));
  writeFileSync(join(folder, 'assets', 'icon.svg'), icon);
};

const page = (title: string, script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/${style}">
<script type="module" src="/${script}"></script>
</head>
<body><div id="app"></div><noscript>${title} needs JavaScript.</noscript></body>
</html>
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#12161c"/><path d="M9 11h14M9 16h14M9 21h8" stroke="#8ab8f0" stroke-width="2.6" stroke-linecap="round"/></svg>
`;
