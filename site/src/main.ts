/** Builds the documentation site: `node site/src/main.ts FOLDER`. */
import { mkdirSync } from 'node:fs';
import { buildSite } from './build-site.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node site/src/main.ts FOLDER\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
await buildSite(folder);
