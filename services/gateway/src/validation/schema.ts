import type { Faults, Loc, Rejected } from './fault.ts';

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A type of value: the single source of its validation, its TypeScript type and its JSON Schema.
 */
export interface Schema<T> {
  /**
   * Returns the value for handlers, or `rejected` after adding at least one fault. Never throws.
   */
  read(input: unknown, loc: Loc, faults: Faults): T | Rejected;
  readonly json: JsonSchema;
}

/** A member that may be absent. */
export interface Optional<T> extends Schema<T> {
  /** The value of an absent member. */
  readonly fallback: T;
}

export type Output<S> = S extends Schema<infer T> ? T : never;

/** Makes a member optional. `null` is accepted only if the schema is nullable. */
export function optional<T>(schema: Schema<T>): Optional<T | undefined>;
export function optional<T, const F>(schema: Schema<T>, fallback: F): Optional<T | F>;
export function optional<T>(schema: Schema<T>, fallback?: unknown): Optional<unknown> {
  const shown = fallback !== undefined && fallback !== null;
  return {
    ...schema,
    fallback,
    json: shown ? { ...schema.json, default: fallback } : schema.json,
  };
}

export const isOptional = (schema: Schema<unknown>): schema is Optional<unknown> =>
  'fallback' in schema;

/** Returns the schema with a description for documents. */
export const described = <S extends Schema<unknown>>(schema: S, description: string): S => ({
  ...schema,
  json: { ...schema.json, description },
});

/** Accepts the schema's values, and null. */
export const nullable = <T>(schema: Schema<T>): Schema<T | null> => ({
  read: (input, loc, faults) => (input === null ? null : schema.read(input, loc, faults)),
  json:
    typeof schema.json.type === 'string' && !schema.json.title && !schema.json.enum
      ? { ...schema.json, type: [schema.json.type, 'null'] }
      : { anyOf: [schema.json, { type: 'null' }] },
});
