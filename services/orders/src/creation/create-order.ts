import type { Database } from '@pto/database';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import type { Geocoder } from '../geocoding/index.ts';
import { inProgress } from '../idempotency/claim-key.ts';
import type { IdempotencyScope } from '../idempotency/scope.ts';
import type { OrganizationSlots } from '../organization-slots.ts';
import { type CreateTogether, createAlone, isHeavy } from './create-batch.ts';
import { resolveStop } from './locate-stops.ts';

/** The response for the partner, and whether it is a replay of an earlier response. */
export interface CreateOrderResult {
  readonly body: Uint8Array;
  readonly replayed: boolean;
}

interface CreateOrderDeps {
  readonly db: Database;
  readonly geocoder: Geocoder;
  readonly keepMs: number;
  readonly sign: Sign;
  /** Returns the stored response to a request, or null. */
  findReplay(scope: IdempotencyScope): Promise<Buffer | null>;
  readonly createTogether: CreateTogether;
  /** Runs a creation in a transaction of its own in one of the organization's slots for these. */
  readonly inSlot: OrganizationSlots;
  /** Runs the organization's heavy work one at a time. */
  readonly inTurn: OrganizationSlots;
}

/**
 * Creates an order (contract 4.2). A replay is returned before any other check. Addresses are
 * resolved before the transaction. One transaction writes order, new locations, event and stored
 * response: that of a batch, or a transaction of its own if the order is heavy or cannot be created
 * at once (create-batch.ts).
 * @throws Failure DUPLICATE_EXTERNAL_ID, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS,
 *   DEADLINE_EXCEEDED, or a failure of `resolveStop` or `locateStops`
 */
export const createOrder = async (
  deps: CreateOrderDeps,
  request: CreateOrderRequest,
  call: { readonly signal: AbortSignal; readonly deadline: number },
): Promise<CreateOrderResult> => {
  const { geocoder, keepMs, findReplay, createTogether } = deps;
  const { organizationId, idempotency } = request;
  const scope = idempotency && { organizationId, idempotency, keepMs };
  const cause = { traceparent: currentTraceparent(), requestId: currentRequestId() };
  const early = scope && (await findReplay(scope));
  if (early) return { body: early, replayed: true };
  const { signal } = call; // made at its first use, which a replay does not have
  const stops = await Promise.all([
    resolveStop(geocoder, 'pickup', request.pickup, signal),
    resolveStop(geocoder, 'dropoff', request.dropoff, signal),
  ]);
  const creation = { request, stops, scope, cause };
  const heavy = isHeavy(request);
  const together = heavy ? null : await createTogether(creation);
  if (together) return { body: together, replayed: false };
  const inSlot = heavy ? deps.inTurn : deps.inSlot;
  const alone = await inSlot(organizationId, signal, () =>
    createAlone(deps, creation, call.deadline),
  );
  if (alone) return { body: alone, replayed: false };
  const late = scope && (await findReplay(scope));
  if (late) return { body: late, replayed: true };
  throw inProgress();
};
