import { errorLines, loggedErrors, type RequestError } from '@pto/access';
import type { RowsOf } from '@pto/database';
import type { Failure } from '@pto/errors';
import { scrub } from '@pto/telemetry';
import type { EndedRequest } from '../http/observer.ts';
import type { tables } from '../schema/tables.ts';
import type { Fault, Loc } from '../validation/schema.ts';

/** A row that is not stored yet. */
export type NewRequest = RowsOf<typeof tables>['requests'];

/**
 * Returns the row of a request; undefined without a valid key, and for what the pages of the portal
 * read again and again: a partner looks for the requests of the integration.
 * @param names the names that errors show (`shownErrors`).
 */
export const newRequest = (
  { exchange, method, path, status, durationMs, requestId }: EndedRequest,
  basePath: string,
  names: ReadonlySet<string>,
): NewRequest | undefined => {
  const key = exchange.credentials ?? exchange.deniedKey;
  if (key?.isSession && method === 'GET' && status < 400) return undefined;
  const { failure } = exchange;
  const scope = failure?.details?.required_scope;
  return (
    key && {
      organization_id: key.organization.id,
      id: exchange.id,
      key_id: key.keyId,
      method,
      path: shownPath(path, basePath),
      operation: exchange.operation ?? null,
      status,
      // the response to a validation error has no code (contract 2.6)
      code: failure === undefined || failure.kind === 'VALIDATION' ? null : failure.kind,
      // a client may choose any text
      request_id: requestId === exchange.id ? null : withoutSecrets(requestId),
      duration_ms: durationMs,
      left_out: null,
      errors: failure ? errorLines(shownErrors(failure, names)) : null,
      required_scope: typeof scope === 'string' ? scope : null,
    }
  );
};

const shownMax = 255;
const segmentsMax = 32;
const shownSegment = /^[\w.~-]{1,64}$/;
/** What each secret has, so that most texts need no `scrub`. */
const maySecret = /_|eyJ|:|svc|whsec|op[ts]-|ptl-|[0-9a-z]{43}/i;

/** Returns the text with keys and other secrets masked. */
const withoutSecrets = (text: string): string => (maySecret.test(text) ? scrub(text) : text);

/**
 * Returns the path below the base path as the client sent it, at most 255 characters. A segment that
 * is longer than 64 characters, has others than letters, digits and `-._~`, or has a key or another
 * secret is `*`, because partners put texts of any kind there.
 */
const shownPath = (path: string, basePath: string): string =>
  path
    .slice(basePath.length)
    .split('/', segmentsMax)
    .map((segment) => (segment === '' || isShown(segment) ? segment : '*'))
    .join('/')
    .slice(0, shownMax);

const isShown = (segment: string): boolean =>
  shownSegment.test(segment) && withoutSecrets(segment) === segment;

const fieldMax = 150;
const shownType = /^\w{1,40}$/;

/**
 * Returns the fields and types of a failure's first errors, without messages and values. A name
 * that is none of `names` is `*`, because a client may have invented it.
 */
export const shownErrors = (
  { kind, details }: Pick<Failure, 'kind' | 'details'>,
  names: ReadonlySet<string>,
): RequestError[] => {
  const shown = (loc: Loc, type: string): RequestError => ({
    field: loc
      .map((part) => (typeof part === 'number' || names.has(part) ? part : '*'))
      .join('.')
      .slice(0, fieldMax),
    type: shownType.test(type) ? type : '*',
  });
  const { detail, field } = details ?? {};
  if (kind === 'VALIDATION' && Array.isArray(detail))
    return (detail as readonly Fault[])
      .slice(0, loggedErrors)
      .map(({ loc, type }) => shown(loc, type));
  return typeof field === 'string' ? [shown(field.split('.'), kind)] : [];
};
