import type { JsonSchema } from '../validation/index.ts';

/**
 * Returns the schema of a request body. It states each default in the description instead of in
 * `default`, because generators of clients make a member with a default a required one.
 */
export const requestSchema = (json: JsonSchema): JsonSchema => {
  const { default: fallback, description, ...rest } = mapped(json);
  if (fallback === undefined) return description === undefined ? rest : { ...rest, description };
  const stated = [description, `Default: \`${JSON.stringify(fallback)}\`.`]
    .filter(Boolean)
    .join(' ');
  // a named schema is shared, so the default is stated beside the reference to it
  return typeof rest.title === 'string'
    ? { allOf: [rest], description: stated }
    : { ...rest, description: stated };
};

const mapped = (json: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(json).map(([name, value]) => [name, within(value)]));

const within = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(within);
  return typeof value === 'object' && value !== null ? requestSchema(value as JsonSchema) : value;
};
