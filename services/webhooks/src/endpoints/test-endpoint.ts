import { uuidv7 } from '@pto/database';
import { invalid } from '@pto/errors';
import { eventNames } from '@pto/proto/vocabulary';
import { testEventJson } from '@pto/representation';
import { readClock } from '../database-clock.ts';
import { post } from '../deliverer/attempt.ts';
import { succeeded } from '../deliverer/retry-schedule.ts';
import { publicReason } from '../egress/public-reason.ts';
import type { EndpointKey } from '../schema/entities.ts';
import { currentSecrets } from '../secrets/endpoint-secrets.ts';
import { inConstantTime, reserveMs } from './constant-time.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';
import { isProven, spendProbe } from './probe-budget.ts';

/**
 * POST /webhooks/{endpoint_id}/test: sends the example of an event once, signed, to an endpoint in any
 * status. The request is not stored and does not count for the endpoint's health (decision 43). The
 * response's body is returned only of a URL that has returned a nonce: its owner has agreed.
 * @param eventType empty: `order.test`.
 * @param deliveryId what the receiver gets as `X-Service-Delivery`; by it the receiver recognizes a
 *   repetition (contract 6.3).
 * @throws Failure VALIDATION, NOT_FOUND, RATE_LIMITED.
 */
export const testEndpoint = async (
  deps: EndpointDeps,
  key: EndpointKey,
  deadline: number,
  { eventType = '', deliveryId = uuidv7() }: { eventType?: string; deliveryId?: string } = {},
) => {
  const event = eventNames.find((name) => name === (eventType || 'order.test'));
  if (!event) throw invalid(['body', 'event_type'], 'is not an event name', eventType);
  const { id, url, status } = await findEndpoint(deps.db, key);
  await spendProbe(deps.db, deps.probesPerHostPerMinute, { url, status });
  const clock = await readClock(deps.db);
  const posting = {
    deliveryId,
    endpointId: id,
    url,
    secrets: await currentSecrets(deps.db, key),
    event,
    payload: Buffer.from(
      JSON.stringify(testEventJson(event, new Date(clock()).toISOString(), deps.publicBaseUrl)),
    ),
    sequence: 0, // not part of the stream
    clock,
  };
  const left = deadline - reserveMs - performance.now();
  const timeoutMs = Math.max(1, Math.min(deps.attemptTimeoutMs, left));
  const begunAt = performance.now();
  const outcome = await inConstantTime(
    () => post(deps, posting, { timeoutMs }),
    (one) => 'error' in one && publicReason(one.error) === 'unreachable',
    { untilMs: deps.connectTimeoutMs, deadline },
  );
  const durationMs = Math.round(performance.now() - begunAt);
  if ('statusCode' in outcome) {
    const { statusCode, body } = outcome;
    const responseBody = isProven({ url, status }) ? (body ?? '') : '';
    return { id, delivered: succeeded(outcome), statusCode, durationMs, responseBody };
  }
  deps.log.info({ endpointId: id, error: outcome.error }, 'test request failed');
  return { id, delivered: false, error: publicReason(outcome.error), durationMs };
};
