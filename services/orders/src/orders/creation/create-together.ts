import { createBatches } from '@pto/concurrency';
import type { Database, Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import { keyName } from '../../idempotency/scope.ts';
import { insertOrders } from './insert-orders.ts';
import { lockAndLocate } from './locate-creations.ts';
import type { Creation } from './new-order.ts';

/** An order with more items is created alone, so that it does not delay others. */
const itemsMax = 100;

/** Creates an order together with others. @returns its JSON, or null if it must be created alone. */
export type CreateTogether = (creation: Creation) => Promise<Buffer | null>;

/**
 * Returns a function that creates orders; its concurrent calls share a transaction. A batch takes
 * only locks that are free and waits for no poll, so a creation does not delay its neighbours. A
 * creation that cannot succeed at once has no effect and gets null: its key is in use or has a
 * response, its external_id is taken, an address is new. If the transaction fails, all get null.
 * @throws Failure SERVICE_UNAVAILABLE if the database is unavailable. It is then unknown whether
 *   the transaction was committed, so the creations must not be repeated here.
 */
export const sharedCreate = ({ db, sign }: { db: Database; sign: Sign }): CreateTogether => {
  const create = createBatches<Creation, Buffer | null>(
    async (creations) => {
      const bodies = await db
        .transaction((tx) => createAll(tx, sign, creations))
        .catch((error): ReadonlyMap<Creation, Buffer> => {
          if (error instanceof Failure && error.kind === 'SERVICE_UNAVAILABLE') throw error;
          return new Map();
        });
      return (creation) => bodies.get(creation) ?? null;
    },
    { inFlightMax: 2, batchMax: 32, waitingMax: 1024 },
  );
  return async (creation) =>
    creation.request.goodsTypes.length > itemsMax ? null : create(creation);
};

/** @returns the JSON of the orders that were created. */
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

/** A transaction can take a lock twice, so a second creation with a key must not be in it. */
const firstOfEachKey = (creations: readonly Creation[]): Creation[] => {
  const names = new Set<string>();
  return creations.filter(({ scope }) => {
    if (!scope) return true;
    const name = keyName(scope);
    return !names.has(name) && names.add(name);
  });
};
