import type { Schema } from './schema.ts';

/**
 * A schema that accepts exactly one of the given texts.
 * @param title the name of the choice in documents.
 */
export const choice = <const V extends string>(values: readonly V[], title?: string): Schema<V> => {
  const quoted = values.map((value) => `'${value}'`);
  const expected = `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return {
    read: (input, loc, faults) =>
      values.find((value) => value === input) ??
      faults.add('enum', loc, `Input should be ${expected}`, { input, ctx: { expected } }),
    json: { type: 'string', ...(title && { title }), enum: values },
  };
};
