import type { JsonSchema } from '../validation/schema.ts';

/**
 * Collects the schemas that have a title. Each becomes a component with its title as the name, and
 * a reference replaces the schema. The component itself has no title.
 * @throws Error if two different schemas have one title
 */
export const createComponents = () => {
  const schemas = new Map<string, JsonSchema>();

  const reference = (json: JsonSchema): JsonSchema => {
    const { title, ...inner } = Object.fromEntries(
      Object.entries(json).map(([name, value]) => [name, referenceIn(value)]),
    );
    if (typeof title !== 'string') return title === undefined ? inner : { title, ...inner };
    const known = schemas.get(title);
    if (known && JSON.stringify(known) !== JSON.stringify(inner))
      throw new Error(`two schemas have the name ${title}`);
    schemas.set(title, inner);
    return { $ref: `#/components/schemas/${title}` };
  };

  const referenceIn = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(referenceIn);
    return typeof value === 'object' && value !== null ? reference(value as JsonSchema) : value;
  };

  return {
    reference,
    /** Returns the collected components, sorted by name. */
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

export type Components = ReturnType<typeof createComponents>;
