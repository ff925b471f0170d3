/** Writes the files of `vectors/` again: `npm run vectors`. Decision 31's stays as it is. */
import { writeFileSync } from 'node:fs';
import { vectorFiles } from './forgeries/vectors.ts';

for (const [name, text] of Object.entries(vectorFiles))
  writeFileSync(new URL(`../vectors/${name}`, import.meta.url), text);
