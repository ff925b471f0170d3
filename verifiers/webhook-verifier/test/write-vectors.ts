/** Writes the files of `vectors/` again: `npm run vectors`. */
import { writeFileSync } from 'node:fs';
import { vectorFiles } from './deliveries/vectors.ts';

for (const [name, text] of Object.entries(vectorFiles))
  writeFileSync(new URL(`../vectors/${name}`, import.meta.url), text);
