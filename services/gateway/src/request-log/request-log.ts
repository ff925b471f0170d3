import { errorLines, loggedErrors, type RequestError } from '@pto/access';
import { bulkInsert, type Database } from '@pto/database';
import { Failure } from '@pto/errors';
import { Counter, scrub, type Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { EndedRequest } from '../http/observer.ts';
import { type NewRequest, tables } from '../schema/tables.ts';
import type { Fault, Loc } from '../validation/schema.ts';
import { createExcessRequests } from './excess-requests.ts';

const everyMs = 1000;
/** Rows of one statement. */
const batchMax = 1000;
/** Rows that wait for a statement: at least 2 s of a replica's highest rate. */
const waitingMax = 20_000;
/** Consecutive failures after which a batch is dropped. */
const failuresMax = 60;
/** Time in which a stopping replica writes the rows that wait, in ms. */
const lastFlushMs = 5000;

const insert = bulkInsert(tables, 'requests');
/** For a batch that may be stored, because only its confirmation was lost; costs twice as much. */
const insertAgain = bulkInsert(tables, 'requests', (rows) =>
  rows.onConflict((on) => on.doNothing()),
);

/**
 * Adds each request with a valid key to the log, in one statement per second for up to 1,000
 * requests, outside of the requests. If the database is unavailable or slower than the traffic,
 * 20,000 rows wait; further ones are dropped and counted. A process that is killed loses what waits.
 * @param names the names that the errors of rows show.
 */
export const startRequestLog = (
  db: Database,
  basePath: string,
  names: ReadonlySet<string>,
  telemetry: Telemetry,
): { record(ended: EndedRequest): void; stop(): Promise<void> } => {
  const { log } = telemetry;
  const dropped = new Counter({
    name: 'gateway_request_log_dropped_total',
    help: 'Requests that are missing in the log of requests, because the database did not store them',
    registers: [telemetry.metrics],
  });
  const excess = createExcessRequests();
  const waiting: NewRequest[] = [];
  let isRepeated = false;

  const add = (row: NewRequest): void => {
    if (waiting.length < waitingMax) waiting.push(row);
    else dropped.inc();
  };
  const drop = (count: number): void => dropped.inc(waiting.splice(0, count).length);
  const flush = async (until = Number.POSITIVE_INFINITY): Promise<void> => {
    while (waiting.length > 0 && performance.now() < until) {
      const batch = waiting.slice(0, batchMax);
      await (isRepeated ? insertAgain : insert)(db, batch);
      waiting.splice(0, batch.length);
      isRepeated = false;
    }
  };
  const worker = startWorker({
    firstPauseMs: everyMs,
    tick: async () => {
      excess.end().forEach(add);
      await flush();
      return everyMs;
    },
    failed: (err, failures) => {
      if (failures === 1) log.warn({ err }, 'cannot write the log of requests');
      isRepeated = true;
      if (!mayPass(err) || failures % failuresMax === 0) drop(batchMax);
      return everyMs;
    },
  });
  return {
    record: (ended) => {
      const row = newRequest(ended, basePath, names);
      if (row && (ended.context.isWithinBudget || excess.admit(row))) add(row);
    },
    stop: async () => {
      await worker.stop();
      excess.end(true).forEach(add);
      await flush(performance.now() + lastFlushMs).catch((err) => {
        log.warn({ err, requests: waiting.length }, 'the last requests are not in the log');
      });
      drop(waiting.length);
    },
  };
};

const mayPass = (error: unknown): boolean =>
  error instanceof Failure &&
  (error.kind === 'SERVICE_UNAVAILABLE' || error.kind === 'DEADLINE_EXCEEDED');

/**
 * Returns the row of a request; undefined without a valid key, and for what the pages of the portal
 * read again and again: a partner looks for the requests of the integration.
 * @param names the names that errors show (`shownErrors`).
 */
const newRequest = (
  { context, method, path, status, durationMs, requestId }: EndedRequest,
  basePath: string,
  names: ReadonlySet<string>,
): NewRequest | undefined => {
  const key = context.credentials ?? context.deniedKey;
  if (key?.isSession && method === 'GET' && status < 400) return undefined;
  const { failure } = context;
  const scope = failure?.details?.required_scope;
  return (
    key && {
      organization_id: key.organization.id,
      id: context.id,
      key_id: key.keyId,
      method,
      path: shownPath(path, basePath),
      operation: context.operation ?? null,
      status,
      // the response to a validation error has no code (contract 2.6)
      code: failure === undefined || failure.kind === 'VALIDATION' ? null : failure.kind,
      // a client may choose any text
      request_id: requestId === context.id ? null : withoutSecrets(requestId),
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
