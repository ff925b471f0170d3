import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { drawIcon } from './icon.ts';

const root = join(import.meta.dirname, '..');

/**
 * Builds the web applications into a folder: `index.html` for operators, `portal.html` for partners,
 * `link.html` for links to one order, `driver.html` for drivers, and scripts and styles whose names
 * contain a hash of their content. The page has no inline code or style (Content-Security-Policy).
 */
export const buildConsole = async (folder: string): Promise<void> => {
  const bundle = (entryPoints: Readonly<Record<string, string>>) =>
    build({
      absWorkingDir: root,
      entryPoints,
      outdir: join(folder, 'assets'),
      entryNames: '[name]-[hash]',
      chunkNames: 'part-[hash]',
      assetNames: 'part-[hash]',
      loader: { '.wasm': 'file' },
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
  const { metafile: applications } = await bundle({
    main: 'src/main.tsx',
    portal: 'src/portal/main.tsx',
    link: 'src/link/main.tsx',
    style: 'src/style/style.css',
  });
  // alone: of what the applications share, a phone gets only what its page uses, 17 kB less
  const { metafile } = await bundle({ driver: 'src/driver/main.tsx' });
  const outputs = Object.keys({ ...applications.outputs, ...metafile.outputs }).map((path) =>
    relative(folder, join(root, path)).replaceAll('\\', '/'),
  );
  const named = (pattern: RegExp) => outputs.find((path) => pattern.test(path))!;
  const style = named(/style-\w+\.css$/);
  const write = (name: string, title: string, script: string, more = '') =>
    writeFileSync(join(folder, name), page(title, script, style, more));
  write('index.html', 'Console', named(/main-\w+\.js$/));
  write('portal.html', 'Portal', named(/portal-\w+\.js$/));
  write('link.html', 'Transport', named(/link-\w+\.js$/));
  write('driver.html', 'Your transports', named(/driver-\w+\.js$/), installable);
  writeFileSync(join(folder, 'assets', 'icon.svg'), icon);
  for (const size of iconSizes) writeFileSync(join(folder, iconOf(size)), drawIcon(size));
  writeFileSync(join(folder, 'driver.webmanifest'), JSON.stringify(manifest));
  const entry = Object.keys(metafile.outputs).find((path) => /driver-\w+\.js$/.test(path))!;
  const scripts = [...importedBy(metafile, entry)].map((path) =>
    relative(folder, join(root, path)),
  );
  const files = [...scripts.map((path) => path.replaceAll('\\', '/')), style, 'assets/icon.svg'];
  await buildWorker(folder, files.map((file) => `/${file}`).sort());
};

/** Returns an output and those that it imports, also later. */
const importedBy = (
  { outputs }: Metafile,
  path: string,
  found = new Set<string>(),
): Set<string> => {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next } of outputs[path]?.imports ?? [])
    importedBy({ outputs, inputs: {} }, next, found);
  return found;
};

/** Builds the worker of the driver's page, which keeps these files. */
const buildWorker = async (folder: string, files: readonly string[]): Promise<void> => {
  const version = hash('sha256', files.join()).slice(0, 16);
  await build({
    absWorkingDir: root,
    entryPoints: ['src/driver/worker.ts'],
    outfile: join(folder, 'driver-worker.js'),
    bundle: true,
    minify: true,
    legalComments: 'none',
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
  });
};

const iconSizes = [180, 192, 512];
const iconOf = (size: number) => `/assets/icon-${size}.png`;
/** The dark background of the pages, as in colors.css. */
const dark = '#12161c';

const manifest = {
  name: 'Your transports',
  short_name: 'Transports',
  start_url: '/driver',
  scope: '/driver',
  display: 'standalone',
  background_color: dark,
  theme_color: dark,
  icons: iconSizes.slice(1).map((size) => ({
    ...{ src: iconOf(size), sizes: `${size}x${size}`, type: 'image/png', purpose: 'any maskable' },
  })),
};
const installable = `
<link rel="manifest" href="/driver.webmanifest">
<link rel="apple-touch-icon" href="${iconOf(180)}">
<meta name="theme-color" content="#ffffff" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${dark}" media="(prefers-color-scheme: dark)">`;

const page = (
  title: string,
  script: string,
  style: string,
  more: string,
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/${style}">${more}
<script type="module" src="/${script}"></script>
</head>
<body><div id="app"></div><noscript>${title} needs JavaScript.</noscript></body>
</html>
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#12161c"/><path d="M9 11h14M9 16h14M9 21h8" stroke="#8ab8f0" stroke-width="2.6" stroke-linecap="round"/></svg>
`;
