import { execute, fragment, type Sql } from '@pto/database';
import type { UpdateEndpointRequest } from '@pto/proto/webhooks/v1/webhooks';
import { readClock } from '../database-clock.ts';
import type { HandshakeResult } from '../handshake/proof.ts';
import { type Endpoint, tables } from '../schema/entities.ts';
import { checkEventFilter, checkUrl } from './check-request.ts';
import { quiesce } from './delete-endpoint.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';
import { spendProbe } from './probe-budget.ts';
import { confirm } from './verify-endpoint.ts';

/**
 * PATCH /webhooks/{endpoint_id}. An absent field stays unchanged (contract 2.5, 3.2, decisions 34
 * and 37):
 *
 * - url: null changes nothing. A different URL makes the endpoint PENDING_VERIFICATION and starts a
 *   handshake. Queued deliveries wait and are sent to the new URL. Events are queued meanwhile if
 *   the endpoint was ENABLED (decision 37).
 * - event_filter: null means all events. Queued deliveries stay.
 * - disabled: null changes nothing. `true` ends queued deliveries, and no more events are queued.
 *   After `false`, events are queued again without a handshake, if the endpoint is ENABLED. What
 *   failed before the pause does not make it BROKEN any more (decision 40).
 *
 * @throws Failure VALIDATION, NOT_FOUND, RATE_LIMITED.
 */
export const updateEndpoint = async (
  deps: EndpointDeps,
  request: Omit<UpdateEndpointRequest, '$typeName'>,
  deadline: number,
): Promise<{ endpoint: Endpoint; result: HandshakeResult | undefined; held: boolean }> => {
  const { id, organizationId } = request;
  const key = { organizationId, id };
  if (request.url !== undefined) checkUrl(request.url, deps.policy);
  const filter = request.setEventFilter ? checkEventFilter(request.eventFilter) : undefined;
  const change = await deps.db.transaction(async (tx) => {
    const endpoint = await findEndpoint(tx, key, 'update');
    const isMoved = request.url !== undefined && request.url !== endpoint.url;
    const isSilenced = request.disabled === true && !endpoint.disabled;
    const isResumed = request.disabled === false && endpoint.disabled;
    const moved = {
      url: isMoved ? request.url! : endpoint.url,
      url_version: endpoint.url_version + (isMoved ? 1 : 0),
      status: isMoved ? ('PENDING_VERIFICATION' as const) : endpoint.status,
    };
    if (isMoved) await spendProbe(tx, deps.probesPerHostPerMinute, moved);
    await execute(
      tx,
      tables
        .updateTable('endpoints')
        .set({
          ...moved,
          disabled: request.disabled ?? endpoint.disabled,
          ...(filter !== undefined && { event_filter: filter }),
          ...(isMoved && {
            verify_by: await verificationDeadline(tx, endpoint, deps.health.brokenSilenceMs),
          }),
          ...(isResumed && {
            resumed_at: fragment<string>`now()`,
            failing_since: null,
            exhausted: 0,
          }),
          ...(isSilenced && {
            generation: endpoint.generation + 1,
            generation_reason: 'disabled',
          }),
        })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id),
    );
    return { isMoved, isSilenced, moved };
  });
  if (change.isSilenced) await quiesce(deps.db, key, deadline);
  const confirmed = change.isMoved
    ? await confirm(deps, { ...key, ...change.moved }, deadline)
    : undefined;
  const endpoint = await findEndpoint(deps.db, key);
  return { endpoint, result: confirmed?.result, held: confirmed?.held !== undefined };
};

/**
 * Returns the deadline for the verification of a changed URL; until then, events are queued for the
 * endpoint (decision 37). An ENABLED endpoint gets a deadline `silenceMs`
 * milliseconds from now, by the database's clock. A PENDING_VERIFICATION endpoint keeps its
 * deadline, if it has one. A BROKEN endpoint gets none.
 */
const verificationDeadline = async (
  tx: Sql,
  { status, verify_by: verifyBy }: Endpoint,
  silenceMs: number,
): Promise<Date | string | null> => {
  if (status === 'PENDING_VERIFICATION') return verifyBy;
  const clock = await readClock(tx);
  return status === 'ENABLED' ? new Date(clock() + silenceMs) : null;
};
