import { Failure } from '@pto/errors';
import { parseJsonBody } from '../http/read-body.ts';
import { absent, Faults, Input, type Model } from '../validation/schema.ts';

/** The schemas of a request's parts. A part without a schema is not validated. */
export interface RequestSchemas<Path = unknown, Query = unknown, Header = unknown, Body = unknown> {
  readonly path?: Model<Path>;
  readonly query?: Model<Query>;
  readonly header?: Model<Header>;
  readonly body?: Model<Body>;
}

/** The parts of a request before validation. */
interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  /** The query string without the `?`. */
  readonly search: string;
  /** Values by lower-case name; one entry for each occurrence of the header. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
}

/**
 * Validates all parts of a request and reports their faults together, in the order path, query,
 * header, body. If the body is not JSON, that is the only fault, as in FastAPI (decision 1).
 * @returns the values of the schemas, and the body as JSON.
 * @throws Failure VALIDATION
 */
export const readRequest = (schemas: RequestSchemas, raw: RawRequest) => {
  const hasBody = schemas.body !== undefined && raw.body.length > 0;
  const json = hasBody ? parseJsonBody(raw.body) : undefined;
  const faults = new Faults();
  const path = schemas.path?.read(new Input(raw.path, 'path', faults));
  const parameters = schemas.query && new URLSearchParams(raw.search);
  const query = readOnce(schemas.query, new Input({}, 'query', faults), (name) =>
    parameters?.getAll(name),
  );
  const header = readOnce(
    schemas.header,
    new Input({}, 'header', faults),
    (name) => raw.headers[name.toLowerCase()],
  );
  const body = hasBody
    ? schemas.body.read(new Input(json, 'body', faults))
    : schemas.body && new Input(null, 'body', faults).reject('missing', 'Field required');
  if (faults.count > 0)
    throw new Failure('VALIDATION', 'The request is invalid.', {
      details: { detail: faults.list },
    });
  return { path, query, header, body, json };
};

/** Reads query parameters or headers. A name that is given twice is a fault (decision 15). */
const readOnce = (
  schema: Model<unknown> | undefined,
  input: Input,
  valuesOf: (name: string) => readonly string[] | undefined,
): unknown => {
  const entries = Object.entries(schema?.fields ?? {}).map(([name, field]) => {
    const [value, ...more] = valuesOf(name) ?? [];
    if (more.length > 0)
      return [name, input.at(name, [value, ...more]).rejectByRule('given more than once')];
    if (value !== undefined) return [name, field.read(input.at(name, value))];
    return [name, absent(field, input, name)];
  });
  return schema && Object.fromEntries(entries);
};
