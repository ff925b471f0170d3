import type { Database } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import type { Geocoder } from '../../geocoding/index.ts';
import type { IdempotencyScope } from '../../idempotency/scope.ts';
import type { OrganizationSlots } from '../organization-slots.ts';
import { createAlone } from './create-alone.ts';
import { type CreateTogether, isHeavy } from './create-together.ts';
import type { Creation } from './new-order.ts';
import { resolveStop } from './stops.ts';

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
  /** Runs the work in one of the organization's slots for creations. A replay needs no slot. */
  readonly inSlot: OrganizationSlots;
  /** Runs work that needs its own connection, in one of the organization's fewer slots for it. */
  readonly inAloneSlot: OrganizationSlots;
  /** Runs the organization's heavy work one at a time. */
  readonly inTurn: OrganizationSlots;
}

/**
 * Creates an order (contract 4.2). A replay is returned before any other check. Addresses are
 * resolved before the transaction. One transaction writes order, items, new locations, event and
 * stored response. It is the transaction of a batch (create-together.ts), or, if the batch returns
 * null for the order, a transaction of its own (create-alone.ts).
 * @throws Failure DUPLICATE_EXTERNAL_ID, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS,
 *   DEADLINE_EXCEEDED, or a failure of `resolveStop` or `locateStops`
 */
export const createOrder = async (
  deps: CreateOrderDeps,
  request: CreateOrderRequest,
  call: { readonly signal: AbortSignal; readonly deadline: number },
): Promise<CreateOrderResult> => {
  const { geocoder, keepMs, findReplay, createTogether, inSlot } = deps;
  const { organizationId, idempotency } = request;
  const scope = idempotency && { organizationId, idempotency, keepMs };
  const cause = { traceparent: currentTraceparent(), requestId: currentRequestId() };
  const replay = async (): Promise<CreateOrderResult | null> => {
    const body = scope && (await findReplay(scope));
    return body ? { body, replayed: true } : null;
  };
  const alone = async (creation: Creation): Promise<CreateOrderResult> => {
    const body = await createAlone(deps, creation, call.deadline);
    if (body) return { body, replayed: false };
    const late = await replay();
    if (late) return late;
    throw new Failure('IDEMPOTENCY_IN_PROGRESS', 'The first request with this key still runs.', {
      retryAfterSeconds: 1,
    });
  };
  const early = await replay();
  if (early) return early;
  const { signal } = call; // made at its first use, which a replay does not have
  return inSlot(organizationId, signal, async () => {
    const stops = await Promise.all([
      resolveStop(geocoder, 'pickup', request.pickup, signal),
      resolveStop(geocoder, 'dropoff', request.dropoff, signal),
    ]);
    const creation = { request, stops, scope, cause };
    if (isHeavy(request)) return deps.inTurn(organizationId, signal, () => alone(creation));
    const body = await createTogether(creation);
    if (body) return { body, replayed: false };
    const concurrent = await replay();
    return concurrent ?? deps.inAloneSlot(organizationId, signal, () => alone(creation));
  });
};
