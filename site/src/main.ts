/** Builds the documentation site: `node site/src/main.ts FOLDER`. */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { buildSite } from './build-site.ts';
import { siteRoot } from './root.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  process.stderr.write('usage: node site/src/main.ts FOLDER\n');
  process.exit(2);
}
const place = resolve(folder);
mkdirSync(place, { recursive: true });
process.chdir(siteRoot); // Eleventy finds its templates relative to the working folder
await buildSite(place);
