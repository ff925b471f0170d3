import { type Database, execute, type Transaction } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Sign } from '@pto/message-authentication';
import type { CreateOrderRequest } from '@pto/proto/orders/v1/orders';
import { claimKey } from '../../idempotency/claim-key.ts';
import { tables } from '../../schema/tables.ts';
import { insertOrders } from './insert-orders.ts';
import type { Creation } from './new-order.ts';
import { locateStops } from './stops.ts';

/**
 * Milliseconds before the caller's deadline that stay reserved for the response after the wait for
 * a concurrent request.
 */
const reserveMs = 500;

/**
 * Creates one order in a transaction of its own. Waits for a concurrent request with the same key
 * and for a poll that is in progress. Saves the locations of new addresses.
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
    const located = { ...creation, pickup: pickup!, dropoff: dropoff! };
    const body = (await insertOrders(tx, sign, [located])).get(located);
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
