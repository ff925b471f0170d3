import { goodVectors } from './good.ts';
import { refusedVectors } from './refused.ts';
import type { Vector } from './vector.ts';

const lines = (vectors: readonly Vector[]): string =>
  `[\n${vectors.map((vector) => JSON.stringify(vector)).join(',\n')}\n]\n`;

/** The files of `vectors/`, one vector a line. */
export const vectorFiles: Readonly<Record<string, string>> = {
  'good.json': lines(goodVectors),
  'refused.json': lines(refusedVectors),
};
