import { createConcurrencyLimit } from '@pto/concurrency';
import { Counter, type Telemetry } from '@pto/telemetry';
import type { RequestHandler } from 'express';
import { rateLimited } from '../limits/budget.ts';

const waitingMax = 64;
const waitMs = 1000;

/**
 * Limits the requests that one organization has in flight in this replica (decision 56). Every
 * request with a valid key needs a slot, whatever its response will be, except for those that
 * routes/blocked-requests.ts answers. The slot is released when the handler has ended and the
 * response is sent or the connection closed. So a client that disconnects early cannot start more
 * work than its organization's slots allow.
 * @throws Failure RATE_LIMITED after a wait of 1 s for a slot, or immediately if 64 requests wait.
 */
export const limitConcurrency = (options: {
  inFlightMax: number;
  telemetry: Telemetry;
}): RequestHandler => {
  const { inFlightMax } = options;
  const limit = createConcurrencyLimit({ inFlightMax, waitingMax, waitMs });
  const rejections = new Counter({
    name: 'gateway_concurrency_rejections_total',
    help: 'Requests rejected because their organization had too many in flight in this replica',
    registers: [options.telemetry.metrics],
  });
  return async (_, response, next) => {
    const { exchange } = response.locals;
    const organization = exchange.credentials!.organization.id;
    let release: (() => void) | undefined;
    exchange.afterwards(() => release?.());
    release = limit.take(organization) ?? (await limit.acquire(organization, exchange.closed));
    if (exchange.isClosed) {
      release?.(); // a slot that was granted while the connection closed
      return;
    }
    if (!release) {
      rejections.inc();
      throw rateLimited(
        { retryAfterSeconds: 1 },
        `Your organization has ${inFlightMax} requests in flight. Send fewer in parallel.`,
      );
    }
    next();
  };
};
