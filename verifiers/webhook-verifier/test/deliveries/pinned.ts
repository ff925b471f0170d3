import { readFileSync } from 'node:fs';
import type { Vector } from './vector.ts';

const read = (name: string): Vector[] =>
  JSON.parse(readFileSync(new URL(`../../vectors/${name}`, import.meta.url), 'utf8'));

/** The vectors as they stand in the files, for every language. */
export const pinned: readonly Vector[] = [...read('good.json'), ...read('refused.json')];
