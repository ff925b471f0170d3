import type { JsonSchema } from '../validation/index.ts';

/**
 * Collects the schemas that have a title: each becomes a component of that name, and stands
 * elsewhere as a reference to it.
 */
export const createComponents = () => {
  const schemas = new Map<string, JsonSchema>();

  const reference = (json: JsonSchema): JsonSchema => {
    const inner = Object.fromEntries(
      Object.entries(json).map(([name, value]) => [name, referenceIn(value)]),
    );
    const { title } = inner;
    if (typeof title !== 'string') return inner;
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
    /** In the order of their names. */
    all: () => Object.fromEntries([...schemas].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};

export type Components = ReturnType<typeof createComponents>;
