/**
 * Writes files that run an image's programs from their sources: `node
 * dev/bundle/src/link-programs.ts IMAGE FOLDER`. Under Tilt they stand where the image has the
 * bundled programs, so that the charts' arguments are the same.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { contentsOf } from './image-programs.ts';

const [image, folder] = process.argv.slice(2);
if (!image || !folder) {
  process.stderr.write('usage: node dev/bundle/src/link-programs.ts IMAGE FOLDER\n');
  process.exit(2);
}
const root = join(import.meta.dirname, '../../..');
mkdirSync(folder, { recursive: true });
for (const [name, entry] of Object.entries(contentsOf(image).programs)) {
  const path = relative(resolve(folder), join(root, entry));
  writeFileSync(join(folder, `${name}.mjs`), `import '${path}';\n`);
}
