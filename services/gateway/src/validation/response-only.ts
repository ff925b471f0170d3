import type { JsonSchema, Schema } from './schema.ts';

/** A value that only responses have: the gateway writes it, and no request is read by it. */
export const responseOnly = <T>(json: JsonSchema): Schema<T> => ({
  read: ({ value }) => value as T,
  json,
});

/** A time as `YYYY-MM-DDTHH:mm:ss.sssZ` (decision 6). */
export const timestamp = () => responseOnly<string>({ type: 'string', format: 'date-time' });
export const number = () => responseOnly<number>({ type: 'number' });
export const count = () => responseOnly<number>({ type: 'integer' });
/** A JSON object with members of any name. */
export const anyObject = () =>
  responseOnly<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true });
/** A JSON object with members of any name, whose values all have one schema. */
export const mapOf = <T>(member: Schema<T>) =>
  responseOnly<Readonly<Record<string, T>>>({ type: 'object', additionalProperties: member.json });
/** Any JSON value. */
export const anyValue = () => responseOnly<unknown>({});
/** Exactly this text. */
export const literal = (value: string) => responseOnly<string>({ type: 'string', const: value });

/**
 * An open enumeration (decision 63): a named string. It lists its known values, and other values
 * stay valid. The reason for this form: docs/decisions/openapi-document.md.
 */
export const openEnum = (title: string, values: readonly string[], description: string) =>
  responseOnly<string>({
    title,
    type: 'string',
    description: `${description} Values may be added: accept unknown ones. Known values: ${values.map((value) => `\`${value}\``).join(', ')}.`,
    examples: values.slice(0, 1),
    'x-extensible-enum': values,
  });
