import type { JsonSchema } from '../validation/index.ts';

/**
 * A value in a response: its JSON Schema. `T` is the type that a handler must return for it.
 */
export interface Shape<T> {
  readonly json: JsonSchema;
  /** Whether the contract guarantees that the member is present. */
  readonly required: boolean;
  /** Never set: exists only for the type. */
  readonly of?: T;
}

const shape = <T>(json: JsonSchema, required = true): Shape<T> => ({ json, required });

export const text = shape<string>({ type: 'string' });
export const uuid = shape<string>({ type: 'string', format: 'uuid' });
/** A time as `YYYY-MM-DDTHH:mm:ss.sssZ` (decision 6). */
export const dateTime = shape<string>({ type: 'string', format: 'date-time' });
export const number = shape<number>({ type: 'number' });
export const integer = shape<number>({ type: 'integer' });
export const boolean = shape<boolean>({ type: 'boolean' });
/** A JSON object with members of any name. */
export const anyObject = shape<Readonly<Record<string, unknown>>>({
  type: 'object',
  additionalProperties: true,
});

/** Returns the shape of exactly this text. */
export const literal = (value: string): Shape<string> => shape({ type: 'string', const: value });

/**
 * An open enumeration (decision 63): a named string. It lists its known values, and other values
 * stay valid. The reason for this form: docs/decisions/openapi-document.md.
 */
export const openEnum = (
  title: string,
  values: readonly string[],
  description: string,
): Shape<string> =>
  shape({
    title,
    type: 'string',
    description: `${description} Values may be added: accept unknown ones. Known values: ${values.map((value) => `\`${value}\``).join(', ')}.`,
    examples: values.slice(0, 1),
    'x-extensible-enum': values,
  });

export const listOf = <T>(entry: Shape<T>): Shape<readonly T[]> =>
  shape({ type: 'array', items: entry.json });

/** An optional member that may be null: the contract calls it `X|null` and does not require it. */
export const maybe = <T>({ json }: Shape<T>): Shape<T | null> =>
  shape(
    typeof json.type === 'string' && json.title === undefined && json.enum === undefined
      ? { ...json, type: [json.type, 'null'] }
      : { anyOf: [json, { type: 'null' }] },
    false,
  );

/** An optional member that has a default in the contract. */
export const byDefault = <T>({ json }: Shape<T>, value: T): Shape<T> =>
  shape({ ...json, default: value }, false);

/** Returns the shape with a description. */
export const described = <T>(of: Shape<T>, description: string): Shape<T> => ({
  ...of,
  json: { ...of.json, description },
});

type Members = Readonly<Record<string, Shape<unknown>>>;
type Whole<M extends Members> = {
  readonly [K in keyof M]: M[K] extends Shape<infer T> ? T : never;
};

/**
 * Returns the shape of a JSON object, with the name of its schema in documents. Responses may get
 * further members (decision 50), so the schema permits additional ones.
 */
export const named = <const M extends Members>(title: string, members: M): Shape<Whole<M>> =>
  shape({
    title,
    type: 'object',
    properties: Object.fromEntries(Object.entries(members).map(([name, { json }]) => [name, json])),
    required: Object.keys(members).filter((name) => members[name]?.required),
  });
