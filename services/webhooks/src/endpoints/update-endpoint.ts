import type { Sql } from '@pto/database';
import type { UpdateEndpointRequest } from '@pto/proto/webhooks/v1/webhooks';
import { readClock } from '../database-clock.ts';
import type { HandshakeResult } from '../handshake/proof.ts';
import type { Endpoint } from '../schema/endpoints.ts';
import { checkEventFilter, checkUrl } from './check-request.ts';
import { quiesce } from './delete-endpoint.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint, lockEndpoint } from './find-endpoint.ts';
import { spendProbe } from './probe-budget.ts';
import { confirm } from './verify-endpoint.ts';

/**
 * PATCH /webhooks/{endpoint_id}. An absent field stays unchanged (contract 2.5, 3.2, decisions 34
 * and 37):
 *
 * - url: null changes nothing. A different URL makes the endpoint PENDING_VERIFICATION and starts a
 *   handshake. Queued deliveries wait and are sent to the new URL. Events are queued meanwhile if
 *   the endpoint was ENABLED (docs/decisions/url-change.md).
 * - event_filter: null means all events. Queued deliveries stay.
 * - disabled: null changes nothing. `true` ends queued deliveries, and no more events are queued.
 *   After `false`, events are queued again without a handshake, if the endpoint is ENABLED.
 *
 * @throws Failure VALIDATION, NOT_FOUND, RATE_LIMITED.
 */
export const updateEndpoint = async (
  deps: EndpointDeps,
  request: UpdateEndpointRequest,
  deadline: number,
): Promise<{ endpoint: Endpoint; result: HandshakeResult | undefined }> => {
  const { id, organizationId } = request;
  if (request.url !== undefined) checkUrl(request.url, deps.policy);
  const filter = request.setEventFilter ? checkEventFilter(request.eventFilter) : undefined;
  const change = await deps.db.transaction(async (tx) => {
    const endpoint = await lockEndpoint(tx, { id, organizationId });
    const isMoved = request.url !== undefined && request.url !== endpoint.url;
    const isSilenced = request.disabled === true && !endpoint.disabled;
    if (filter !== undefined) endpoint.eventFilter = filter;
    if (isMoved) {
      endpoint.verifyBy = await verificationDeadline(tx, endpoint, deps.health.brokenSilenceMs);
      endpoint.url = request.url!;
      endpoint.urlVersion += 1;
      endpoint.status = 'PENDING_VERIFICATION';
      await spendProbe(tx, deps.probesPerHostPerMinute, endpoint);
    }
    if (isSilenced) {
      endpoint.disabled = true;
      endpoint.generation += 1;
      endpoint.generationReason = 'disabled';
    }
    if (request.disabled === false) endpoint.disabled = false;
    await tx.em.flush();
    const { url, urlVersion, status } = endpoint;
    return { isMoved, isSilenced, moved: { id, url, urlVersion, status } };
  });
  if (change.isSilenced) await quiesce(deps.db, id, deadline);
  const confirmed = change.isMoved ? await confirm(deps, change.moved, deadline) : undefined;
  const endpoint = await findEndpoint(deps.db, { id, organizationId });
  return { endpoint, result: confirmed?.result };
};

/**
 * Returns the deadline for the verification of a changed URL; until then, events are queued for the
 * endpoint (docs/decisions/url-change.md). An ENABLED endpoint gets a deadline `silenceMs`
 * milliseconds from now, by the database's clock. A PENDING_VERIFICATION endpoint keeps its
 * deadline, if it has one. A BROKEN endpoint gets none.
 */
const verificationDeadline = async (
  tx: Sql,
  { status, verifyBy }: Endpoint,
  silenceMs: number,
): Promise<Date | null> => {
  if (status === 'PENDING_VERIFICATION') return verifyBy ?? null;
  const clock = await readClock(tx);
  return status === 'ENABLED' ? new Date(clock() + silenceMs) : null;
};
