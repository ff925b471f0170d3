/** Compares two JSON Schemas without references, as far as ours use the language. */
export type Schema = Readonly<Record<string, unknown>>;

/** In a request the next schema must take all that the last took; in an answer it is turned round. */
type Side = 'request' | 'answer';

export const schemaBreaks = (side: Side, where: string, last: Schema, next: Schema): string[] => {
  const [was, is] = [whole(last), whole(next)];
  const inner = (part: string, a: unknown, b: unknown) =>
    schemaBreaks(side, `${where}${part}`, a as Schema, b as Schema);
  return [
    ...typeBreaks(side, where, was, is),
    ...enumBreaks(side, where, was, is),
    ...(side === 'request' ? boundBreaks(where, was, is) : []),
    ...(side === 'answer' ? boundBreaks(where, is, was, 'wider') : []),
    ...memberBreaks(side, where, was, is, inner),
    ...(isSchema(was.items) && isSchema(is.items) ? inner('[]', was.items, is.items) : []),
    ...choiceBreaks(side, where, was, is, inner),
  ];
};

/** `number` takes every `integer`. */
const lacks = (types: readonly string[], type: string): boolean =>
  !types.includes(type) && !(type === 'integer' && types.includes('number'));

const typeBreaks = (side: Side, where: string, was: Schema, is: Schema): string[] => {
  const [a, b] = [typesOf(was), typesOf(is)];
  const text = (types: readonly string[]) => types.join(' or ') || 'anything';
  const [narrow, wide] = side === 'request' ? [b, a] : [a, b];
  // no type takes every type
  const isBroken =
    narrow.length > 0 && (wide.length === 0 || wide.some((type) => lacks(narrow, type)));
  const formatted =
    was.format !== is.format && (side === 'answer' ? was.format : is.format) !== undefined;
  return [
    ...(isBroken ? [`${where} was ${text(a)} and is ${text(b)}`] : []),
    ...(formatted
      ? [`${where} was ${was.format ?? 'any text'} and is ${is.format ?? 'any text'}`]
      : []),
  ];
};

/**
 * A request may not be rejected for a value that it was allowed. A response may get new values: readers
 * ignore what they do not know (decision 29, and contract 9 for events). It keeps the values that
 * readers compare with, such as error codes (contract 7).
 */
const enumBreaks = (side: Side, where: string, was: Schema, is: Schema): string[] => {
  if (side === 'answer')
    return gone(openValuesOf(was), openValuesOf(is)).map(
      (value) => `${where} is never ${value} any more`,
    );
  const [a, b] = [valuesOf(was), valuesOf(is)];
  if (!b) return [];
  if (!a) return [`${where} now takes only ${b.join(', ')}`];
  return gone(a, b).map((value) => `${where} takes ${value} no more`);
};

const gone = (before: readonly unknown[], after: readonly unknown[]): unknown[] =>
  before.filter((value) => !after.includes(value));

const openValuesOf = (schema: Schema): readonly unknown[] =>
  (schema['x-extensible-enum'] as unknown[] | undefined) ?? [];

const valuesOf = (schema: Schema): readonly unknown[] | undefined =>
  'const' in schema ? [schema.const] : (schema.enum as unknown[] | undefined);

const lower = ['minLength', 'minItems', 'minimum'];
const upper = ['maxLength', 'maxItems', 'maximum'];

/** Bounds that became tighter; with `wider`, the schemas come in turned-round order. */
const boundBreaks = (where: string, a: Schema, b: Schema, how = 'tighter'): string[] => {
  const tighter = (names: readonly string[], isTighter: (x: number, y: number) => boolean) =>
    names.filter((name) => {
      const [x, y] = [a[name] as number | undefined, b[name] as number | undefined];
      return y !== undefined && (x === undefined || isTighter(x, y));
    });
  const broken = [...tighter(lower, (x, y) => y > x), ...tighter(upper, (x, y) => y < x)];
  if (b.pattern !== undefined && a.pattern !== b.pattern) broken.push('pattern');
  return broken.map((name) => `${where}: ${name} is ${how} than it was`);
};

const memberBreaks = (
  side: Side,
  where: string,
  was: Schema,
  is: Schema,
  inner: (part: string, a: unknown, b: unknown) => string[],
): string[] => {
  const [a, b] = [was, is].map((schema) => (schema.properties ?? {}) as Schema) as [Schema, Schema];
  const [must, mustNow] = [was, is].map(
    ({ required }) => new Set((required ?? []) as string[]),
  ) as [Set<string>, Set<string>];
  const faults = Object.keys(a).flatMap((name) =>
    b[name] === undefined ? [`${where}.${name} is gone`] : inner(`.${name}`, a[name], b[name]),
  );
  const promises =
    side === 'request'
      ? [...mustNow]
          .filter((name) => !must.has(name))
          .map((name) => `${where}.${name} is ${name in a ? 'now' : 'new and'} required`)
      : [...must]
          .filter((name) => name in b && !mustNow.has(name))
          .map((name) => `${where}.${name} is promised no more`);
  return [...faults, ...promises];
};

/**
 * Of alternatives a request may get more and an answer fewer. They are compared in their order; a
 * schema without alternatives is its only one.
 */
const choiceBreaks = (
  side: Side,
  where: string,
  was: Schema,
  is: Schema,
  inner: (part: string, a: unknown, b: unknown) => string[],
): string[] => {
  const [a, b] = [was, is].map((schema) => (schema.anyOf ?? schema.oneOf) as Schema[] | undefined);
  if (!a && !b) return [];
  const [before, after] = [a ?? [was], b ?? [is]];
  const isBroken = side === 'request' ? after.length < before.length : after.length > before.length;
  const how = side === 'request' ? 'is taken no more' : 'is one that nobody expects';
  return [
    ...(isBroken ? [`${where}: an alternative ${how}`] : []),
    ...before.slice(0, after.length).flatMap((old, n) => inner('', old, after[n])),
  ];
};

/** A schema with its `allOf` laid together. */
const whole = ({ allOf = [], ...own }: Schema): Schema =>
  (allOf as Schema[]).map(whole).reduce(together, own);

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

const typesOf = ({ type }: Schema): readonly string[] =>
  Array.isArray(type) ? type : type === undefined ? [] : [String(type)];

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
