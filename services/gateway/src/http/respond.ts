import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, kinds, privateCause, toFailure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { KeyBudgets } from '../admission/budgets.ts';
import type { Timings } from '../config.ts';
import { boundedInput } from '../validation/bounded-input.ts';

/** A handler's response, which the gateway sends: UTF-8 JSON, unless the headers say otherwise. */
export interface PartnerResponse<T = unknown> {
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The body, one piece after the other. A piece of an iterable is produced after the pieces before
   * it were sent.
   */
  readonly pieces: readonly Uint8Array[] | AsyncIterable<string>;
  /** Never set: the type of the JSON. */
  readonly of?: T;
}

export const json = <T>(
  value: T,
  headers: PartnerResponse['headers'] = {},
): PartnerResponse<T> => ({ headers, pieces: [Buffer.from(JSON.stringify(value))] });

/** Returns a response with serialized JSON, which is sent unchanged. */
export const jsonBytes = (...pieces: readonly Uint8Array[]): PartnerResponse<never> => ({ pieces });

/** Returns the response to a creation: the bytes of the service, which a replay repeats. */
export const created = (
  made: {
    readonly body: Uint8Array;
    readonly replayed: boolean;
  },
  more: PartnerResponse['headers'] = {},
): PartnerResponse<never> => ({
  headers: { ...more, ...(made.replayed && { 'Idempotency-Replayed': 'true' }) },
  pieces: [made.body],
});

/** Returns a response without a body. */
export const nothing = (
  headers: Readonly<Record<string, string>> = {},
): PartnerResponse<never> => ({
  headers,
  pieces: [],
});

/**
 * Sends a response. If the first piece of an iterable fails, nothing is sent and the error is
 * thrown. If a later piece fails, the connection is closed, so that the client sees an incomplete
 * response.
 * @param timeoutMs if the response is not sent completely within this time, its connection is
 *   closed.
 */
const send = async (
  response: ServerResponse,
  status: number,
  { headers, pieces }: PartnerResponse,
  timeoutMs: number,
): Promise<void> => {
  const stream = Symbol.asyncIterator in pieces ? Readable.from(pieces) : undefined;
  if (stream) await once(stream, 'readable');
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (!Array.isArray(pieces) || pieces.length > 0)
    response.setHeader('Content-Type', 'application/json');
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  if (stream) {
    closeAfter(response, timeoutMs);
    await pipeline(stream, response);
    return;
  }
  const all = pieces as readonly Uint8Array[];
  const length = all.reduce((sum, { byteLength }) => sum + byteLength, 0);
  if (all.length > 0) response.setHeader('Content-Length', length);
  for (const piece of all.slice(0, -1)) response.write(piece);
  response.end(all.at(-1));
  // unless the operating system has all bytes already
  if (response.socket?.writableLength !== 0) closeAfter(response, timeoutMs);
};

/** Closes the connection of a response that is not sent completely within this time. */
const closeAfter = (response: ServerResponse, timeoutMs: number): void => {
  const timer = setTimeout(() => response.destroy(), timeoutMs).unref();
  response.on('close', () => clearTimeout(timer));
};

/** Returns the functions that send every response, with the headers that all responses have. */
export const createResponder = (deps: {
  budgets: KeyBudgets;
  telemetry: Telemetry;
  timings: Pick<Timings, 'sendMs'>;
  /** Time from a request's arrival to its 429 response, in milliseconds. */
  rejectionHoldMs: number;
  /** Returns whether this process is stopping. */
  draining(): boolean;
}) => {
  const respond = async (
    request: Request,
    response: Response,
    status: number,
    content: PartnerResponse,
  ): Promise<void> => {
    const { credentials } = response.locals.context;
    if (credentials) await deps.budgets.look(request, response, credentials);
    if (deps.draining()) response.setHeader('Connection', 'close');
    await send(response, status, content, deps.timings.sendMs);
  };

  /**
   * Counts a rejected request. Returns the failure, or RATE_LIMITED if the key's budget for
   * rejected requests is used up.
   */
  const afterRejections = async (response: Response, failure: Failure): Promise<Failure> => {
    const { context } = response.locals;
    if (!context.credentials || failure.kind === 'RATE_LIMITED') return failure;
    return deps.budgets.spendRejected(response, context.credentials).then(() => {
      context.isWithinBudget = true;
      return failure;
    }, toFailure);
  };

  /**
   * Delays a 429, without the slot and the bytes of its organization (decision 75). A client that ignores
   * Retry-After then costs one rejection per connection and second; without the delay its
   * rejections would slow down the requests of other clients.
   */
  const hold = async ({ locals: { context } }: Response): Promise<void> => {
    context.release();
    const ms = context.begun + deps.rejectionHoldMs - performance.now();
    if (deps.draining() || ms <= 0) return;
    await sleep(ms, undefined, { signal: context.closed }).catch(() => {}); // the client has left
  };

  /** Sends an error response. Express recognizes an error handler by its four parameters. */
  const handleError: ErrorRequestHandler = async (thrown, request, response, _next) => {
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    const failure = await afterRejections(response, toFailure(thrown));
    response.locals.context.failure = failure;
    if (failure.kind === 'INTERNAL') deps.telemetry.log.error({ err: failure }, 'request failed');
    // a service that has rejected the call has logged why; without its response only we know
    else if (privateCause(failure) !== undefined)
      deps.telemetry.log.warn({ err: failure }, 'request failed');
    const status = kinds[failure.kind].http;
    if (status === 429) await hold(response);
    await respond(request, response, status, errorResponse(failure, status));
  };
  return { respond, handleError };
};

export type Responder = ReturnType<typeof createResponder>;

/**
 * Returns the response for a failure: the envelope of contract 7, or the form of contract 2.6 for
 * validation errors.
 */
const errorResponse = (failure: Failure, status: number): PartnerResponse => {
  const { kind, message, details, retryAfterSeconds } = failure;
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...((retryAfterSeconds !== undefined || status === 503) && {
      'Retry-After': `${retryAfterSeconds ?? 1}`,
    }),
    ...(kind === 'METHOD_NOT_ALLOWED' && { Allow: `${details?.allow}` }),
  };
  const body =
    kind === 'VALIDATION'
      ? {
          detail: boundedFaults(details?.detail) ?? [
            { type: 'value_error', loc: [], msg: message },
          ],
        }
      : { error: { code: kind, message, ...(details && { details }) } };
  return json(body, headers);
};

/** Returns the faults that a service has found with bounded inputs; the gateway's have them already. */
const boundedFaults = (detail: unknown): unknown =>
  Array.isArray(detail)
    ? detail.map(({ input, ...fault }) => ({ ...fault, ...boundedInput(input) }))
    : detail;
