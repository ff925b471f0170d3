import { Failure } from '@pto/errors';
import { parseJsonBody } from '../http/json-body.ts';
import { type Fault, Faults, type Model, rejected } from '../validation/index.ts';

/** The schemas of a request's parts. A part without a schema is not validated. */
export interface RequestSchemas {
  readonly path?: Model<unknown>;
  readonly query?: Model<unknown>;
  readonly header?: Model<unknown>;
  readonly body?: Model<unknown>;
}

/** The parts of a request before validation. */
export interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  /** The query string without the `?`. */
  readonly search: string;
  /** Values by lower-case name; one entry for each occurrence of the header. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/** The values that the schemas returned, and the body as JSON. */
export interface ReadRequest {
  readonly path: unknown;
  readonly query: unknown;
  readonly header: unknown;
  readonly body: unknown;
  readonly json: unknown;
}

/**
 * Validates all parts of a request and reports their faults together, in the order path, query,
 * header, body. If the body is not JSON, that is the only fault, as in FastAPI (decision 1).
 * @throws Failure VALIDATION
 */
export const readRequest = (schemas: RequestSchemas, raw: RawRequest): ReadRequest => {
  const hasBody = schemas.body !== undefined && raw.body.length > 0;
  const json = hasBody ? parseJsonBody(raw.body) : undefined;
  const faults = new Faults();
  const read = (part: keyof RequestSchemas, input: unknown) =>
    schemas[part]?.read(input, [part], faults);
  const path = read('path', raw.path);
  const parameters = schemas.query && new URLSearchParams(raw.search);
  const query = readOnce(schemas, 'query', faults, (name) => parameters?.getAll(name));
  const header = readOnce(schemas, 'header', faults, (name) => raw.headers[name.toLowerCase()]);
  const body =
    schemas.body && !hasBody
      ? faults.add('missing', ['body'], 'Field required', { input: null })
      : read('body', json);
  if (faults.count > 0) throw validationFailure(faults.list);
  return { path, query, header, body, json };
};

const validationFailure = (detail: readonly Fault[]): Failure =>
  new Failure('VALIDATION', 'The request is invalid.', { details: { detail } });

/**
 * Reads query parameters or headers. A name that is given twice is a fault (decision 15). Faults
 * never contain a header's value.
 */
const readOnce = (
  schemas: RequestSchemas,
  part: 'query' | 'header',
  faults: Faults,
  valuesOf: (name: string) => readonly string[] | undefined,
): unknown => {
  const schema = schemas[part];
  if (!schema) return undefined;
  const names = Object.keys(schema.fields);
  const own = new Faults();
  const input: Record<string, string> = {};
  for (const name of names) {
    const values = valuesOf(name) ?? [];
    if (values.length > 1) own.addRule([part, name], 'given more than once', values);
    else if (values[0] !== undefined) input[name] = values[0];
  }
  const value = schema.read(input, [part], own);
  const place = ({ loc }: Fault) => names.indexOf(String(loc[1]));
  for (const { type, loc, msg, ...more } of own.list.toSorted((a, b) => place(a) - place(b))) {
    const { input: shown, ctx } = more;
    faults.add(type, loc, msg, {
      ...(part === 'query' && { input: shown }),
      ...(ctx && { ctx }),
    });
  }
  return own.count > 0 ? rejected : value;
};
