import { isUuid, type Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { type DeliveryRow, deliveryColumns, deliveryTables, withAttempts } from './delivery-row.ts';

/** One delivery with its attempts. @throws Failure NOT_FOUND. */
export const getDelivery = async (sql: Sql, id: string) => {
  if (!isUuid(id)) throw noSuchDelivery();
  const rows = await sql.query<DeliveryRow>(
    `select ${deliveryColumns} from ${deliveryTables} where d.id = $1`,
    [id],
  );
  const [delivery] = await withAttempts(sql, rows);
  if (!delivery) throw noSuchDelivery();
  return delivery;
};

export const noSuchDelivery = (): Failure =>
  new Failure('NOT_FOUND', 'There is no such delivery.', { details: { resource: 'delivery' } });
