import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import type { Sql } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';

/**
 * Keeps what custody reports: each order's last sequence and head hash, as evidence outside of the
 * ledger's own database (decision 32). Never goes back.
 */
export const recordHead = async (sql: Sql, message: IncomingMessage): Promise<void> => {
  const { event, sequence, eventHash } = fromBinary(CustodyEventSchema, message.value);
  await sql.query(
    `update orders set custody_sequence = $2, custody_head_hash = $3
     where id = $1 and custody_sequence < $2`,
    [event?.orderId, sequence, eventHash],
  );
};
