import { idempotencyHeader, type Route } from './route.ts';

/** Returns the names of all members and parameters that requests may have. */
export const requestNames = (table: readonly Pick<Route, 'schemas'>[]): ReadonlySet<string> => {
  const names = new Set(['path', 'query', 'header', 'body']);
  const add = (json: unknown): void => {
    if (typeof json !== 'object' || json === null) return;
    for (const [word, value] of Object.entries(json)) {
      if (word === 'properties') for (const name of Object.keys(value)) names.add(name);
      add(value);
    }
  };
  add(idempotencyHeader.json);
  for (const { schemas } of table) for (const part of Object.values(schemas)) add(part?.json);
  return names;
};
