/** Brings JSON Schemas that say the same in different words into one form. */
import type { Schema } from './parts.ts';

/** Without references, `allOf` laid together, and `X|null` written in one way. */
export const whole = (schema: Schema, resolve: (schema: Schema) => Schema): Schema => {
  const { allOf = [], ...own } = resolve(schema);
  const laid = (allOf as Schema[]).map((part) => whole(part, resolve)).reduce(together, own);
  const options = (laid.anyOf ?? []) as Schema[];
  const value = options.find((option) => option.type !== 'null');
  if (options.length !== 2 || !value || !options.some(({ type }) => type === 'null')) return laid;
  const { anyOf: _, ...rest } = laid;
  const found = whole(value, resolve);
  return {
    ...rest,
    ...found,
    type: [...typesOf(found), 'null'],
    ...(Array.isArray(found.enum) && { enum: [...found.enum, null] }),
  };
};

const together = (a: Schema, b: Schema): Schema => {
  const properties: Record<string, unknown> = { ...(a.properties as Schema | undefined) };
  for (const [name, json] of Object.entries((b.properties ?? {}) as Schema))
    properties[name] = isSchema(properties[name]) ? { allOf: [properties[name], json] } : json;
  const required = [...((a.required ?? []) as string[]), ...((b.required ?? []) as string[])];
  return {
    ...a,
    ...b,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
};

export const typesOf = ({ type }: Schema): readonly string[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [String(type)];

export const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null;
