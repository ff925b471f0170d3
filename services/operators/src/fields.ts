/** Fields that several requests and responses have. */
import { parseInstantMs } from '@pto/config';
import { printable } from '@pto/custody-verifier/printable';
import { isUuid, leastUuid } from '@pto/database';
import { Failure, invalid } from '@pto/errors';

/** Returns the id if it is a UUID. @throws Failure NOT_FOUND for any other text */
export const requireId = (id: string, resource: string): string => {
  if (!isUuid(id)) throw notFound(resource);
  return id;
};

export const notFound = (resource: string): Failure =>
  new Failure('NOT_FOUND', `There is no such ${resource}.`, { details: { resource } });

/** Parses a time; null for an empty text. @throws Failure VALIDATION */
export const readTime = (text: string, field: string): Date | null => {
  if (text === '') return null;
  try {
    return new Date(parseInstantMs(text));
  } catch (error) {
    throw invalid([field], (error as Error).message, text);
  }
};

/** Returns the text at a path into a message, such as `circumstances.orderId`; empty: there is none. */
export const textAt = (message: object, path: string): string => {
  const value = path
    .split('.')
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], message);
  return typeof value === 'string' ? value : '';
};

/** Returns the only row of a statement. @throws Failure NOT_FOUND if there is none */
export const found = <Row>([row]: readonly Row[], resource: string): Row => {
  if (row === undefined) throw notFound(resource);
  return row;
};

/**
 * Trims a name, or another line, and verifies that it has `min` to `max` characters, all of them
 * printable: no control characters, line breaks or controls of the text direction, because lists,
 * logs and mails show it on one line.
 * @throws Failure VALIDATION
 */
export const requireName = (
  text: string,
  { min, max, field = 'name' }: { min: number; max: number; field?: string },
): string => {
  const name = text.trim();
  // a telephone stands in no error
  const input = field === 'name' ? text : undefined;
  const length = [...name].length;
  if (length < min || length > max)
    throw invalid([field], `expected ${min} to ${max} characters`, input);
  if (printable(name) !== name)
    throw invalid(
      [field],
      'must not contain control characters, line breaks or controls of the text direction',
      input,
    );
  return name;
};

type Camel<Name> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name & string;

/** The members of a row in a message; a nullable column is an optional member. */
type Shown<Row> = {
  [Name in keyof Row as null extends Row[Name] ? never : Camel<Name>]: Row[Name];
} & {
  [Name in keyof Row as null extends Row[Name] ? Camel<Name> : never]?: NonNullable<Row[Name]>;
};

/** Returns a row as a message: names in camel case, times as ISO 8601, no member for null. */
export const shown = <Row extends object>(row: Row): Shown<Row> => {
  const members = Object.entries(row).filter(([, value]) => value !== null);
  return Object.fromEntries(
    members.map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      /(^|_)(at|until|from)$/.test(name) ? new Date(value).toISOString() : value,
    ]),
  ) as Shown<Row>;
};

/** Rows of a page of a list. */
export const pageSize = 100;

/** Returns the id after which a page begins. Empty: the first page. @throws Failure NOT_FOUND */
export const startOf = (afterId: string, resource: string): string =>
  afterId === '' ? leastUuid : requireId(afterId, resource);

/** Returns the id after which the next page begins; empty after the last page. */
export const nextIdOf = (rows: readonly { readonly id: string }[], size = pageSize): string =>
  rows.length === size ? rows.at(-1)!.id : '';
