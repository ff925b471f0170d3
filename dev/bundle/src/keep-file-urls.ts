import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Keeps `import.meta.url` of each source file as the URL of that file instead of the bundle's, so
 * that bundled code still finds files next to its source.
 */
export const keepFileUrls = (root: string, runFrom: string): Plugin => ({
  name: 'keep-file-urls',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      if (!path.startsWith(root + sep) || path.includes(`${sep}node_modules${sep}`)) return null;
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.')) return null;
      const fromBundle = relative(runFrom, path).replaceAll(sep, '/');
      const url = `new URL(${JSON.stringify(fromBundle)}, import.meta.url).href`;
      return { contents: text.replaceAll('import.meta.url', url), loader: 'ts' };
    });
  },
});
