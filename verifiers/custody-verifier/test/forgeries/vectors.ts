import { chain } from './chain.ts';
import { completeness } from './completeness.ts';
import { devices } from './devices.ts';
import { form } from './form.ts';
import { good } from './good.ts';
import { keys } from './keys.ts';
import { logged } from './log.ts';
import { noEntries } from './no-entries.ts';
import { personal } from './personal.ts';
import { seen } from './seen.ts';
import { trust } from './trust.ts';
import type { Vector } from './vector.ts';
import { witnesses } from './witnesses.ts';

/** All vectors, by the name of their file. */
const vectors: Readonly<Record<string, readonly Vector[]>> = {
  good,
  chain,
  log: logged,
  keys,
  seen,
  form,
  trust,
  'no-entries': noEntries,
  completeness,
  witnesses,
  personal,
  devices,
};

/** What stands in each file of `vectors/`: a vector a line. */
export const vectorFiles: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(vectors).map(([name, of]) => [
    `${name}.json`,
    `[\n${of.map((vector) => JSON.stringify(vector)).join(',\n')}\n]\n`,
  ]),
);
