import { uuidv7 } from '@pto/database';
import { readClock } from '../database-clock.ts';
import { post } from '../deliverer/attempt.ts';
import { succeeded } from '../deliverer/retry-schedule.ts';
import { publicReason } from '../egress/public-reason.ts';
import { testPayload } from '../queue/payload.ts';
import type { EndpointKey } from '../schema/entities.ts';
import { currentSecrets } from '../secrets/endpoint-secrets.ts';
import { inConstantTime, reserveMs } from './constant-time.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';
import { spendProbe } from './probe-budget.ts';

/**
 * POST /webhooks/{endpoint_id}/test: sends one signed `order.test` to an endpoint in any status.
 * The request is not stored and does not count for the endpoint's health (decision 43).
 * @param deliveryId what the receiver gets as `X-Service-Delivery`; by it the receiver recognizes a
 *   repetition (contract 6.3).
 * @throws Failure NOT_FOUND, RATE_LIMITED.
 */
export const testEndpoint = async (
  deps: EndpointDeps,
  key: EndpointKey,
  deadline: number,
  deliveryId: string = uuidv7(),
) => {
  const { id, url, status } = await findEndpoint(deps.db, key);
  await spendProbe(deps.db, deps.probesPerHostPerMinute, { url, status });
  const clock = await readClock(deps.db);
  const posting = {
    deliveryId,
    endpointId: id,
    url,
    secrets: await currentSecrets(deps.db, key),
    event: 'order.test',
    payload: testPayload(new Date(clock()).toISOString(), deps.publicBaseUrl),
    sequence: 0, // not part of the stream
    clock,
  };
  const left = deadline - reserveMs - performance.now();
  const timeoutMs = Math.max(1, Math.min(deps.attemptTimeoutMs, left));
  const outcome = await inConstantTime(
    () => post(deps, posting, { timeoutMs }),
    (one) => 'error' in one && publicReason(one.error) === 'unreachable',
    { untilMs: deps.connectTimeoutMs, deadline },
  );
  if ('statusCode' in outcome)
    return { id, delivered: succeeded(outcome), statusCode: outcome.statusCode };
  deps.log.info({ endpointId: id, error: outcome.error }, 'test request failed');
  return { id, delivered: false, error: publicReason(outcome.error) };
};
