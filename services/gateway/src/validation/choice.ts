import type { Schema } from './schema.ts';

/**
 * One of a few names, exactly as written.
 * @param title the name that documents know the choice by.
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
