import type { ServerResponse } from 'node:http';
import { type Failure, toFailure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { type Remaining, rateLimited } from '../../limits/budget.ts';
import type { KeyBudgets } from '../key-budgets.ts';
import { errorResponse } from './error-response.ts';
import { type PartnerResponse, send } from './partner-response.ts';
import { type PreparedResponse, prepare, sendPrepared } from './prepared-response.ts';

/** Returns the functions that send every response, with the headers that all responses have. */
export const createResponder = (deps: {
  budgets: KeyBudgets;
  telemetry: Telemetry;
  sendTimeoutMs: number;
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
    const { exchange } = response.locals;
    const { credentials } = exchange;
    if (credentials) await deps.budgets.look(request, response, credentials);
    await finish(response, status, content, exchange);
  };

  const finish = (
    response: ServerResponse,
    status: number,
    content: PartnerResponse,
    counts: { sentBytes: number },
  ): Promise<void> => {
    if (deps.draining()) response.setHeader('Connection', 'close');
    return send(response, status, content, { timeoutMs: deps.sendTimeoutMs, counts });
  };

  /**
   * Counts a rejected request. Returns the failure, or RATE_LIMITED if the key's budget for
   * rejected requests is used up.
   */
  const afterRejections = async (response: Response, failure: Failure): Promise<Failure> => {
    const { credentials } = response.locals.exchange;
    if (!credentials || failure.kind === 'RATE_LIMITED') return failure;
    return deps.budgets.spendRejected(response, credentials).then(() => failure, toFailure);
  };

  /**
   * Delays a 429. A client that ignores Retry-After then costs one rejection per connection and
   * second; without the delay its rejections would slow down the requests of other clients.
   * @returns undefined if there is nothing to wait for, so that the response is sent in this turn.
   */
  const hold = (response: ServerResponse, begun: number): Promise<void> | undefined => {
    const ms = deps.draining() ? 0 : begun + deps.rejectionHoldMs - Date.now();
    if (ms <= 0 || response.destroyed) return undefined;
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      response.on('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  };

  /**
   * Sends the 429 of a budget that is used up, as `handleError` does for the failure.
   * @param headers names and values in turns; those of every 429 are added.
   */
  const respondRateLimited = (
    response: ServerResponse,
    begun: number,
    { retryAfterSeconds }: Remaining,
    headers: (string | number)[],
  ): void => {
    const respondNow = (): void => {
      if (response.destroyed) return;
      if (deps.draining()) headers.push('Connection', 'close');
      sendPrepared(response, headers, rejectionAfter(retryAfterSeconds), deps.sendTimeoutMs);
    };
    const held = hold(response, begun);
    if (held) void held.then(respondNow);
    else respondNow();
  };

  /** Sends an error response. Express recognizes an error handler by its four parameters. */
  const handleError: ErrorRequestHandler = async (thrown, request, response, _next) => {
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    const failure = await afterRejections(response, toFailure(thrown));
    if (failure.kind === 'INTERNAL') deps.telemetry.log.error({ err: failure }, 'request failed');
    const { status, content } = errorResponse(failure);
    if (status === 429) await hold(response, response.locals.exchange.begun);
    await respond(request, response, status, content);
  };
  return { respond, respondRateLimited, handleError };
};

/** Responses by `Retry-After`, of which there are 60. */
const rejections = new Map<number, PreparedResponse>();

const rejectionAfter = (retryAfterSeconds: number): PreparedResponse => {
  const known = rejections.get(retryAfterSeconds);
  if (known) return known;
  const { status, content } = errorResponse(rateLimited({ retryAfterSeconds }));
  const rejection = prepare(status, content);
  rejections.set(retryAfterSeconds, rejection);
  return rejection;
};

export type Responder = ReturnType<typeof createResponder>;
