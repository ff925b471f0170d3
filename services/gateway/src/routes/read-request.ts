import { Failure } from '@pto/errors';
import { parseJsonBody } from '../http/json-body.ts';
import { type Fault, Faults, type Model, refused } from '../validation/index.ts';

/** The schemas of a route's parts; a part that is not named is not looked at. */
export interface RequestSchemas {
  readonly path?: Model<unknown>;
  readonly query?: Model<unknown>;
  readonly header?: Model<unknown>;
  readonly body?: Model<unknown>;
}

/** A request as it came. */
export interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  /** What follows the `?`. */
  readonly search: string;
  /** Lower-case names; one entry for each time that the header was given. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** What the schemas made of it, and the body as JSON. */
export interface ReadRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly header: unknown;
  readonly body: unknown;
  readonly json: unknown;
}

/**
 * Reads all parts of a request and tells all their faults at once, in the order path, query,
 * header, body; a body that is no JSON is told alone, as FastAPI does (decision 1).
 * @throws Failure VALIDATION
 */
export const readRequest = (schemas: RequestSchemas, raw: RawRequest): ReadRequest => {
  const hasBody = schemas.body !== undefined && raw.body.length > 0;
  const json = hasBody ? parseJsonBody(raw.body) : undefined;
  const faults = new Faults();
  const read = (part: keyof RequestSchemas, input: unknown) =>
    schemas[part]?.read(input, [part], faults);
  const path = read('path', raw.path);
  const query = given(schemas.query, new URLSearchParams(raw.search), faults);
  const header = givenHeaders(schemas.header, raw.headers, faults);
  const body =
    schemas.body && !hasBody
      ? faults.add('missing', ['body'], 'Field required', { input: null })
      : read('body', json);
  if (faults.count > 0) throw validationFailure(faults.list);
  return { path, query, header, body, json };
};

const validationFailure = (detail: readonly Fault[]): Failure =>
  new Failure('VALIDATION', 'The request does not hold.', { details: { detail } });

const given = (
  schema: Model<unknown> | undefined,
  parameters: URLSearchParams,
  faults: Faults,
): unknown =>
  schema &&
  once(schema, 'query', faults, (name) => {
    const values = parameters.getAll(name);
    return { values, shown: { input: values } };
  });

/** A header's value is never shown, whatever is wrong with it. */
const givenHeaders = (
  schema: Model<unknown> | undefined,
  headers: RawRequest['headers'],
  faults: Faults,
): unknown => {
  if (!schema) return undefined;
  const own = new Faults();
  const value = once(schema, 'header', own, (name) => ({
    values: headers[name.toLowerCase()] ?? [],
    shown: {},
  }));
  for (const { type, loc, msg, ctx } of own.list)
    faults.add(type, loc, msg, { ...(ctx && { ctx }) });
  return value;
};

/** Reads members of which each may be given once; twice is a fault (decision 15). */
const once = (
  schema: Model<unknown>,
  part: 'query' | 'header',
  faults: Faults,
  lookUp: (name: string) => { values: readonly string[]; shown: { input?: unknown } },
): unknown => {
  const input: Record<string, string> = {};
  const twice: [string, { input?: unknown }][] = [];
  for (const name of Object.keys(schema.fields)) {
    const { values, shown } = lookUp(name);
    if (values.length > 1) twice.push([name, shown]);
    else if (values[0] !== undefined) input[name] = values[0];
  }
  const value = schema.read(input, [part], faults);
  for (const [name, shown] of twice)
    faults.add('value_error', [part, name], 'Value error, given more than once', {
      ...shown,
      ctx: { error: 'given more than once' },
    });
  return twice.length > 0 ? refused : value;
};
