import { type Failure, kinds, privateCause, toFailure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import type { ErrorRequestHandler, Request, Response } from 'express';
import type { KeyBudgets } from '../limits/key-budgets.ts';
import { json, type PartnerResponse, send } from './partner-response.ts';

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
    const { credentials } = response.locals.exchange;
    if (credentials) await deps.budgets.look(request, response, credentials);
    if (deps.draining()) response.setHeader('Connection', 'close');
    await send(response, status, content, deps.sendTimeoutMs);
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
   * Delays a 429, without the slot of its organization (decision 75). A client that ignores
   * Retry-After then costs one rejection per connection and second; without the delay its
   * rejections would slow down the requests of other clients.
   */
  const hold = async (response: Response): Promise<void> => {
    const { exchange } = response.locals;
    exchange.releaseSlot();
    const ms = deps.draining() ? 0 : exchange.begun + deps.rejectionHoldMs - performance.now();
    if (ms <= 0 || response.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      response.on('close', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  };

  /** Sends an error response. Express recognizes an error handler by its four parameters. */
  const handleError: ErrorRequestHandler = async (thrown, request, response, _next) => {
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    const failure = await afterRejections(response, toFailure(thrown));
    if (failure.kind === 'INTERNAL') deps.telemetry.log.error({ err: failure }, 'request failed');
    // a service that has rejected the call has logged why; without its response only we know
    else if (privateCause(failure) !== undefined)
      deps.telemetry.log.warn({ err: failure }, 'request failed');
    const { status, content } = errorResponse(failure);
    if (status === 429) await hold(response);
    await respond(request, response, status, content);
  };
  return { respond, handleError };
};

export type Responder = ReturnType<typeof createResponder>;

/**
 * Returns the HTTP response for a failure: the envelope of contract 7, or the form of contract 2.6
 * for validation errors.
 */
export const errorResponse = (failure: Failure): { status: number; content: PartnerResponse } => {
  const { kind, message, details, retryAfterSeconds } = failure;
  const status = kinds[kind].http;
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...((retryAfterSeconds !== undefined || status === 503) && {
      'Retry-After': `${retryAfterSeconds ?? 1}`,
    }),
    ...(kind === 'METHOD_NOT_ALLOWED' && { Allow: `${details?.allow}` }),
  };
  const body =
    kind === 'VALIDATION'
      ? { detail: details?.detail ?? [{ type: 'value_error', loc: [], msg: message }] }
      : { error: { code: kind, message, ...(details && { details }) } };
  return { status, content: json(body, headers) };
};
