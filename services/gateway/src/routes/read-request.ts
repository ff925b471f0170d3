import { setImmediate as nextIteration } from 'node:timers/promises';
import { Failure } from '@pto/errors';
import { bodyHash, parseJsonBody } from '../http/json-body.ts';
import type { ParsedBody } from '../http/large-body.ts';
import { absent, Faults, Input, type Model } from '../validation/schema.ts';
import { idempotencyHeader, type Route } from './route.ts';

/** A request as it was received. */
interface RawRequest {
  readonly path: Readonly<Record<string, string>>;
  /** The query string without the `?`. */
  readonly search: string;
  /** Values by lower-case name; one entry for each occurrence of the header. */
  readonly headers: Readonly<Record<string, readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** The body if the thread of large bodies has parsed it. */
  readonly parsed?: ParsedBody | undefined;
}

type Schemas = Pick<Route, 'schemas' | 'idempotent' | 'optionalBody'>;

/**
 * Validates all parts of a request and reports their faults together, in the order path, query,
 * header, body. If the body is not JSON, that is the only fault, as in FastAPI (decision 1).
 * @throws Failure VALIDATION
 */
export const readRequest = (route: Schemas, raw: RawRequest) => {
  const steps = stepsOf(route, raw);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
};

/**
 * Returns what `readRequest` returns, for a heavy body (decision 66): other requests run after each
 * step. Of 256 KiB a step takes 1 to 4 ms of CPU time, and all together up to 12 ms.
 * @param closed aborted when the connection is closed; then no further step begins.
 * @throws Failure VALIDATION, and the reason of `closed`
 */
export const readRequestInSteps = async (
  route: Schemas,
  raw: RawRequest,
  closed: AbortSignal,
): Promise<ReturnType<typeof readRequest>> => {
  const steps = stepsOf(route, raw);
  for (;;) {
    const { done, value } = steps.next();
    await nextIteration();
    closed.throwIfAborted();
    if (done) return value;
  }
};

/** Yields between parsing, validating and hashing the body. */
function* stepsOf({ schemas, idempotent, optionalBody }: Schemas, raw: RawRequest) {
  const { parsed } = raw;
  const hasBody = schemas.body !== undefined && (parsed !== undefined || raw.body.length > 0);
  const sent = parsed ? parsed.json : hasBody ? parseJsonBody(raw.body) : undefined;
  const json = optionalBody ? (sent ?? {}) : sent;
  yield;
  const faults = new Faults();
  const path = schemas.path?.read(new Input(raw.path, 'path', faults));
  const parameters = schemas.query && new URLSearchParams(raw.search);
  const query = readOnce(schemas.query, new Input({}, 'query', faults), (name) =>
    parameters?.getAll(name),
  );
  const headersOf = (schema: Model<unknown> | undefined) =>
    readOnce(schema, new Input({}, 'header', faults), (name) => raw.headers[name.toLowerCase()]);
  const keyed = headersOf(idempotent && idempotencyHeader);
  const header = headersOf(schemas.header);
  const body =
    hasBody || (schemas.body && optionalBody)
      ? schemas.body.read(new Input(json, 'body', faults))
      : schemas.body && new Input(null, 'body', faults).reject('missing', 'Field required');
  if (faults.count > 0)
    throw new Failure('VALIDATION', 'The request is invalid.', {
      details: { detail: faults.list },
    });
  yield;
  const idempotencyKey = keyed?.['Idempotency-Key'] as string | undefined;
  const idempotency = idempotencyKey && {
    idempotencyKey,
    bodySha256: parsed?.sha256 ?? bodyHash(json, raw.body),
  };
  return { path, query, header, body, idempotency: idempotency || undefined };
}

/** Reads query parameters or headers. A name that is given twice is a fault (decision 15). */
const readOnce = (
  schema: Model<unknown> | undefined,
  input: Input,
  valuesOf: (name: string) => readonly string[] | undefined,
): Readonly<Record<string, unknown>> | undefined => {
  const entries = Object.entries(schema?.fields ?? {}).map(([name, field]) => {
    const [value, ...more] = valuesOf(name) ?? [];
    if (more.length > 0)
      return [name, input.at(name, [value, ...more]).rejectByRule('given more than once')];
    if (value !== undefined) return [name, field.read(input.at(name, value))];
    return [name, absent(field, input, name)];
  });
  return schema && Object.fromEntries(entries);
};
