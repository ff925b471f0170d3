import { createBatches, type OrganizationSlots } from '@pto/concurrency';
import { type Database, execute, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { currentRequestId, currentTraceparent } from '@pto/telemetry';
import { beginChange } from '../change-time.ts';
import type { Geocoder } from '../geocoding/geocoder.ts';
import { claimKey, type FindReplay, keyName, respondOnce } from '../idempotency.ts';
import type { FindLocations } from '../locations/locations.ts';
import { tables } from '../schema/tables.ts';
import { heavy, light } from '../slots.ts';
import { insertOrders } from './insert-orders.ts';
import { type Creation, lockAndLocate, resolveStop, saveAndLocate } from './locate-stops.ts';

interface TransactionDeps {
  readonly db: Database;
  readonly sign: Sign;
  readonly findLocations: FindLocations;
}

interface CreateOrderDeps extends TransactionDeps {
  readonly geocoder: Geocoder;
  readonly keepMs: number;
  readonly findReplay: FindReplay;
  readonly createTogether: CreateTogether;
  /** Rejects early what `beginChange` would reject. @throws Failure ORGANIZATION_HELD */
  readonly requireNotHeld: (organizationId: string) => Promise<void>;
  /** Runs a creation in a transaction of its own, in slots of the organization. */
  readonly inSlots: OrganizationSlots;
}

/**
 * Creates an order (contract 4.2). A replay is returned before any other check. Addresses are
 * resolved before the transaction, and not for a held organization. One transaction writes order, new
 * locations, event and stored response: that of a batch, or a transaction of its own if the order is
 * heavy or cannot be created at once.
 * @throws Failure DUPLICATE_EXTERNAL_ID, IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS,
 *   DEADLINE_EXCEEDED, ORGANIZATION_HELD, or a failure of `resolveStop` or `saveAndLocate`
 */
export const createOrder = async (
  deps: CreateOrderDeps,
  request: CreateOrderRequest,
  call: { readonly signal: AbortSignal; readonly deadline: number },
): ReturnType<typeof respondOnce> => {
  const { geocoder, keepMs, findReplay, createTogether } = deps;
  const { organizationId, idempotency } = request;
  const scope = idempotency && { organizationId, idempotency, keepMs };
  const cause = { traceparent: currentTraceparent(), requestId: currentRequestId() };
  return respondOnce(findReplay, scope, async () => {
    const { signal, deadline } = call;
    await deps.requireNotHeld(organizationId);
    const stops = await Promise.all([
      resolveStop(geocoder, 'pickup', request.pickup, signal),
      resolveStop(geocoder, 'dropoff', request.dropoff, signal),
    ]);
    const creation = { request, stops, scope, cause };
    const weight = isHeavy(request) ? heavy : light;
    const together = weight === heavy ? null : await createTogether(creation);
    if (together) return together;
    const create = () => createAlone(deps, creation, deadline);
    return deps.inSlots(organizationId, signal, create, weight);
  });
};

/** Maximum number of items of an order in a batch. */
const itemsMax = 100;

/** Returns whether an order must be created alone, so that it does not delay the other orders. */
export const isHeavy = ({ goodsTypes }: CreateOrderRequest): boolean =>
  goodsTypes.length > itemsMax;

/** Creates an order that is not heavy. @returns its JSON; null: the caller must create it alone. */
export type CreateTogether = (creation: Creation) => Promise<Buffer | null>;

/**
 * Returns a function that creates an order; concurrent calls share a transaction (a batch). A batch
 * takes only advisory locks that are free, so one creation does not delay another. A creation
 * writes nothing and returns null if another request has the lock of its idempotency key, a
 * response is stored under that key, its external_id is taken, one of its locations is not stored
 * yet, a poll of the organization is in progress, or the organization is held. If the transaction
 * fails, every creation of the batch returns null: also if one organization is held since the batch
 * began, because the transaction was rolled back then.
 * @throws Failure SERVICE_UNAVAILABLE if the database is unavailable. It is then unknown whether
 *   the transaction was committed, so the caller must not create the orders again.
 */
export const sharedCreate = ({ db, sign, findLocations }: TransactionDeps): CreateTogether =>
  createBatches<Creation, Buffer | null>(
    async (creations) => {
      const bodies = await db
        .transaction(async (tx) =>
          insertOrders(tx, sign, await lockAndLocate(tx, findLocations, firstOfEachKey(creations))),
        )
        .catch((error): ReadonlyMap<Creation, Buffer> => {
          if (error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE') throw error;
          return new Map();
        });
      return (creation) => bodies.get(creation) ?? null;
    },
    { inFlightMax: 2, batchMax: 32, linger: { calls: 4, ms: 25 } },
  );

/**
 * Returns the creations without a second one of the same idempotency key. A transaction can take a
 * lock twice, so the lock does not separate two creations in one transaction.
 */
const firstOfEachKey = (creations: readonly Creation[]): Creation[] => {
  const names = new Set<string>();
  return creations.filter(({ scope }) => {
    if (!scope) return true;
    const name = keyName(scope);
    return !names.has(name) && names.add(name);
  });
};

/**
 * Creates one order in a transaction of its own, as a batch of one that may wait: for a concurrent
 * request with the same key, and for a poll that is in progress. Saves the locations of new
 * addresses.
 * @returns the order's JSON, or null if a response is stored under the key, because a concurrent
 *   request has committed first.
 * @throws Failure DUPLICATE_EXTERNAL_ID, IDEMPOTENCY_IN_PROGRESS, LOCATION_NOT_FOUND,
 *   ORGANIZATION_HELD
 */
export const createAlone = (
  { db, sign, findLocations }: TransactionDeps,
  creation: Creation,
  deadline: number,
): Promise<Buffer | null> =>
  db.transaction(async (tx) => {
    const { request, scope } = creation;
    if (scope && !(await claimKey(tx, scope, deadline))) return null;
    await beginChange(tx, request.organizationId);
    const located = await saveAndLocate(tx, findLocations, creation);
    const body = (await insertOrders(tx, sign, [located])).get(creation);
    if (!body) throw await duplicate(tx, request);
    return body;
  });

const duplicate = async (tx: Transaction, request: CreateOrderRequest): Promise<Failure> => {
  const [existing] = await execute(
    tx,
    tables
      .selectFrom('orders')
      .select('id')
      .where('organization_id', '=', request.organizationId)
      .where('external_id', '=', request.externalId ?? null),
  );
  return new Failure('DUPLICATE_EXTERNAL_ID', 'This external_id is taken.', {
    details: { field: 'external_id', order_id: existing?.id },
  });
};
