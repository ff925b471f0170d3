import { createBatches } from '@pto/concurrency';
import { type Database, execute, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { claimKey } from '../idempotency/claim-key.ts';
import { keyName } from '../idempotency/scope.ts';
import { tables } from '../schema/orders-database.ts';
import { insertOrders } from './insert-orders.ts';
import { type Creation, locateStops, lockAndLocate } from './locate-stops.ts';

/** Maximum number of items of an order in a batch. */
const itemsMax = 100;

/** Returns whether an order must be created alone, so that it does not delay the other orders. */
export const isHeavy = ({ goodsTypes }: CreateOrderRequest): boolean =>
  goodsTypes.length > itemsMax;

/**
 * Creates an order in one transaction with the orders of concurrent calls.
 * The order must not be heavy.
 * @returns the order's JSON, or null if the caller must create the order alone.
 */
export type CreateTogether = (creation: Creation) => Promise<Buffer | null>;

/**
 * Returns a function that creates an order; concurrent calls share a transaction (a batch). A batch
 * takes only advisory locks that are free, so one creation does not delay another. A creation
 * writes nothing and returns null if another request has the lock of its idempotency key, a
 * response is stored under that key, its external_id is taken, one of its locations is not stored
 * yet, or a poll of the organization is in progress. If the transaction fails, every creation of
 * the batch returns null.
 * @throws Failure SERVICE_UNAVAILABLE if the database is unavailable. It is then unknown whether
 *   the transaction was committed, so the caller must not create the orders again.
 */
export const sharedCreate = ({ db, sign }: { db: Database; sign: Sign }): CreateTogether =>
  createBatches<Creation, Buffer | null>(
    async (creations) => {
      const bodies = await db
        .transaction(async (tx) =>
          insertOrders(tx, sign, await lockAndLocate(tx, firstOfEachKey(creations))),
        )
        .catch((error): ReadonlyMap<Creation, Buffer> => {
          if (error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE') throw error;
          return new Map();
        });
      return (creation) => bodies.get(creation) ?? null;
    },
    { inFlightMax: 2, batchMax: 32, gather: { calls: 4, ms: 25 } },
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
 * Milliseconds before the caller's deadline that stay reserved for the response after the wait for
 * a concurrent request.
 */
const reserveMs = 500;

/**
 * Creates one order in a transaction of its own, as a batch of one that may wait: for a concurrent
 * request with the same key, and for a poll that is in progress. Saves the locations of new
 * addresses.
 * @returns the order's JSON, or null if a response is stored under the key, because a concurrent
 *   request has committed first.
 * @throws Failure DUPLICATE_EXTERNAL_ID, IDEMPOTENCY_IN_PROGRESS, LOCATION_NOT_FOUND
 */
export const createAlone = (
  { db, sign }: { db: Database; sign: Sign },
  creation: Creation,
  deadline: number,
): Promise<Buffer | null> => {
  const waitMs = Math.round(deadline - performance.now() - reserveMs);
  return db.transaction(async (tx) => {
    const { request, stops, scope } = creation;
    if (scope && !(await claimKey(tx, scope, waitMs))) return null;
    const [pickup, dropoff] = await locateStops(tx, request.organizationId, stops);
    const located = { creation, pickup: pickup!, dropoff: dropoff! };
    const body = (await insertOrders(tx, sign, [located])).get(creation);
    if (!body) throw await duplicate(tx, request);
    return body;
  });
};

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
