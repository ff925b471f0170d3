import { createBatches } from '@pto/concurrency';
import type { Database, Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { keyName } from '../../idempotency/scope.ts';
import { insertOrders } from './insert-orders.ts';
import { lockAndLocate } from './locate-creations.ts';
import type { Creation } from './new-order.ts';

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
        .transaction((tx) => createAll(tx, sign, creations))
        .catch((error): ReadonlyMap<Creation, Buffer> => {
          if (error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE') throw error;
          return new Map();
        });
      return (creation) => bodies.get(creation) ?? null;
    },
    { inFlightMax: 2, batchMax: 32, gather: { calls: 4, ms: 25 } },
  );

/** @returns the JSON of each order that was created, by its creation. */
const createAll = async (
  tx: Transaction,
  sign: Sign,
  creations: readonly Creation[],
): Promise<ReadonlyMap<Creation, Buffer>> => {
  const located = await lockAndLocate(tx, firstOfEachKey(creations));
  if (located.length === 0) return new Map();
  const bodies = await insertOrders(
    tx,
    sign,
    located.map(({ found }) => found),
  );
  return new Map(
    located.flatMap(({ creation, found }) => {
      const body = bodies.get(found);
      return body ? [[creation, body]] : [];
    }),
  );
};

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
