import { setTimeout as sleep } from 'node:timers/promises';
import { type Failure, toFailure } from '@pto/errors';
import type { Telemetry } from '@pto/telemetry';
import type { ErrorRequestHandler, Request, Response } from 'express';
import { type Answer, send } from './answer.ts';
import type { KeyBudgets } from './budget-headers.ts';
import { refusal } from './refuse.ts';

/** The one way out, for every answer: what is common to all of them is added here. */
export const conclusion = (deps: {
  budgets: KeyBudgets;
  telemetry: Telemetry;
  sendTimeoutMs: number;
  /** A 429 leaves this long after its request came. */
  rejectionHoldMs: number;
  /** Whether this process is on its way out. */
  draining(): boolean;
}) => {
  const answer = async (
    request: Request,
    response: Response,
    status: number,
    what: Answer,
  ): Promise<void> => {
    const { credentials } = response.locals.exchange;
    if (credentials) await deps.budgets.look(request, response, credentials);
    if (deps.draining()) response.setHeader('Connection', 'close');
    await send(response, status, what, deps.sendTimeoutMs);
  };

  /** Returns the failure itself, or RATE_LIMITED if the key's rejected requests are used up. */
  const afterRejections = async (response: Response, failure: Failure): Promise<Failure> => {
    const { credentials } = response.locals.exchange;
    if (!credentials || failure.kind === 'RATE_LIMITED') return failure;
    return deps.budgets.spendRejected(response, credentials).then(() => failure, toFailure);
  };

  /**
   * A client that does not wait for its Retry-After costs one rejection per connection and second:
   * answered at once, it would ask again at once, and its rejections would take the others' time.
   */
  const hold = async (response: Response): Promise<void> => {
    const { begun, closed } = response.locals.exchange;
    const ms = deps.draining() ? 0 : begun + deps.rejectionHoldMs - Date.now();
    if (ms > 0) await sleep(ms, undefined, { signal: closed }).catch(() => {});
  };

  /** Express's error handler, which it knows by its four parameters. */
  const refuse: ErrorRequestHandler = async (thrown, request, response, _next) => {
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    const failure = await afterRejections(response, toFailure(thrown));
    if (failure.kind === 'INTERNAL') deps.telemetry.log.error({ err: failure }, 'request failed');
    const { status, answer: what } = refusal(failure);
    if (status === 429) await hold(response);
    await answer(request, response, status, what);
  };
  return { answer, refuse };
};

export type Conclusion = ReturnType<typeof conclusion>;
