import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import type { Sql } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';

/**
 * Stores the sequence and hash of an order's head, as custody reports it: evidence outside of the
 * ledger's own database (decision 32). A lower sequence changes nothing. Removes the events up to
 * that sequence from the unreported ones.
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
