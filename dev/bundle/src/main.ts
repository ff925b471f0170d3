/**
 * Writes an image's programs and files: `node dev/bundle/src/main.ts IMAGE FOLDER`. The Dockerfile
 * runs it.
 */
import { join, resolve } from 'node:path';
import { buildImage } from './build-image.ts';

const [image, folder] = process.argv.slice(2);
if (!image || !folder) {
  process.stderr.write('usage: node dev/bundle/src/main.ts IMAGE FOLDER\n');
  process.exit(2);
}
await buildImage(join(import.meta.dirname, '../../..'), image, resolve(folder));
