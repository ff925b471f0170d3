import type { Schema } from './schema.ts';

/** One of a few names, exactly as written. */
export const choice = <const V extends string>(values: readonly V[]): Schema<V> => {
  const quoted = values.map((value) => `'${value}'`);
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return {
    read: (input, loc, faults) =>
      values.find((value) => value === input) ??
      faults.add('enum', loc, `Input should be ${expected}`, { input, ctx: { expected } }),
    json: { type: 'string', enum: values },
  };
};
