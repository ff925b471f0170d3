import { execute, isUuid, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { selectDeliveries, storedDeliveries, withAttempts } from './delivery-row.ts';

/** Identifies a delivery. A partner's call names the endpoint; an operator's call does not. */
export interface WhichDelivery {
  readonly id: string;
  readonly endpointId?: string;
}

/** Returns a delivery with its attempts. @throws Failure NOT_FOUND. */
export const getDelivery = async (sql: Sql, { id, endpointId }: WhichDelivery) => {
  if (!isUuid(id)) throw noSuchDelivery();
  const found = storedDeliveries
    .where('d.id', '=', id)
    .$if(endpointId !== undefined, (stored) => stored.where('d.endpoint_id', '=', endpointId!));
  const rows = await execute(sql, selectDeliveries(found));
  const [delivery] = await withAttempts(sql, rows);
  if (!delivery) throw noSuchDelivery();
  return delivery;
};

export const noSuchDelivery = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such delivery.', { details: { resource: 'delivery' } });
