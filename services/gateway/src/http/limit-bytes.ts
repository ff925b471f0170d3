import { setTimeout as sleep } from 'node:timers/promises';
import { createConcurrencyLimit } from '@pto/concurrency';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { RequestHandler } from 'express';
import { rateLimited } from '../limits/budget.ts';
import { createByteBudgets } from '../limits/byte-budget.ts';

const burstSeconds = 2;
/**
 * A received byte counts as this many sent bytes. Its measured cost is that of about six sent
 * bytes: it is parsed, validated, hashed and stored.
 */
const receivedWeight = 8;
const waitMaxMs = 1000;

/**
 * Limits the bytes that one organization sends and receives in this replica
 * (docs/decisions/byte-budget.md). A request must wait for its turn if the charged bytes, plus the
 * expected bytes of all requests of the organization in flight, exceed the burst. Requests that
 * wait for their turn run one at a time. Each of them begins when time has reduced the charged
 * bytes to the burst.
 * @throws Failure RATE_LIMITED if the wait would exceed 1 s, or if 64 requests wait.
 */
export const limitBytes = (options: {
  bytesPerSecond: number;
  telemetry: Telemetry;
}): RequestHandler => {
  const { bytesPerSecond } = options;
  const budgets = createByteBudgets(bytesPerSecond, bytesPerSecond * burstSeconds);
  const oneAtATime = createConcurrencyLimit({ inFlightMax: 1, waitingMax: 64, waitMs: waitMaxMs });
  const rejections = new Counter({
    name: 'gateway_byte_rejections_total',
    help: 'Requests rejected because their organization had used its bytes in this replica',
    registers: [options.telemetry.metrics],
  });
  return async (_, response, next) => {
    const { exchange } = response.locals;
    const organization = exchange.credentials!.organization.id;
    let [release, isRejected]: [(() => void) | undefined, boolean] = [undefined, false];
    const mayRun = budgets.begin(organization, performance.now());
    exchange.afterwards(() => {
      const bytes = exchange.receivedBytes * receivedWeight + exchange.sentBytes;
      budgets.end(organization, isRejected ? null : bytes, performance.now());
      release?.();
    });
    if (!mayRun) {
      const { closed } = exchange;
      release = await oneAtATime.acquire(organization, closed);
      const waitMs = budgets.waitMs(organization, performance.now());
      if (!closed.aborted && (!release || waitMs > waitMaxMs)) {
        rejections.inc();
        isRejected = true;
        throw rateLimited(
          { retryAfterSeconds: Math.min(60, Math.max(1, Math.ceil(waitMs / 1000))) },
          'Your organization has sent and received too many bytes. Use smaller bodies or pages.',
        );
      }
      await sleep(waitMs, undefined, { signal: closed }).catch(() => {});
      if (closed.aborted) {
        release?.();
        return;
      }
    }
    next();
  };
};
