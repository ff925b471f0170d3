/** Values where a proof file has a string: each must be judged invalid. */
import { proof } from '../samples/a-proof.ts';
import type { Vector } from './vector.ts';

const values: readonly unknown[] = [{ toString: 1 }, [], null, 1];

type Path = readonly (string | number)[];

/** The paths of all strings in a JSON value. */
const stringsIn = (value: unknown, path: Path = []): Path[] => {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    stringsIn(member, [...path, Array.isArray(value) ? Number(name) : name]),
  );
};

/** A copy of a JSON value with another value at a path. */
const replaced = (value: unknown, [first, ...rest]: Path, by: unknown): unknown => {
  if (first === undefined) return by;
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[first] = replaced(copy[first], rest, by);
  return copy;
};

/** The proof file with each of its strings replaced by each hostile value. */
export const hostile: Vector[] = stringsIn(proof).flatMap((path) =>
  values.map((value) => ({
    name: `${JSON.stringify(value)} at ${path.join('.')}`,
    input: { file: replaced(proof, path, value) },
    expect: { verdict: 'invalid' },
  })),
);
