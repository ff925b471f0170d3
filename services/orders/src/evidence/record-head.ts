import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import type { Sql } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';

/**
 * Stores what custody reports: each order's last sequence and head hash, as evidence outside of the
 * ledger's own database (decision 32). Never goes back. Events up to that sequence are reported.
 */
export const recordHead = async (sql: Sql, message: IncomingMessage): Promise<void> => {
  const { event, sequence, eventHash } = fromBinary(CustodyEventSchema, message.value);
  await sql.query(
    `with head as (
       update orders set custody_sequence = $2, custody_head_hash = $3
       where id = $1 and custody_sequence < $2)
     delete from unreported_events where order_id = $1 and sequence <= $2`,
    [event?.orderId, sequence, eventHash],
  );
};
