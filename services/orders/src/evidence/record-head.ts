import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { intArray, type Sql, textArray, uuidArray } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';

/**
 * Stores the sequences and hashes of orders' heads, as custody reports them: evidence outside of
 * the ledger's own database (decision 32). A lower sequence changes nothing. Removes the events up
 * to that sequence from the unreported ones.
 */
export const recordHeads = async (
  sql: Sql,
  messages: readonly IncomingMessage[],
): Promise<void> => {
  const heads = messages.map(({ value }) => fromBinary(CustodyEventSchema, value));
  await sql.query(
    `with reported as materialized (
       select distinct on (order_id) order_id, sequence, hash
       from unnest($1::uuid[], $2::int[], $3::text[]) as r (order_id, sequence, hash)
       order by order_id, sequence desc),
     head as (
       update orders set custody_sequence = r.sequence, custody_head_hash = r.hash
       from reported r where id = r.order_id and custody_sequence < r.sequence)
     delete from unreported_events u using reported r
     where u.order_id = r.order_id and u.sequence <= r.sequence`,
    [
      uuidArray(heads.map(({ event }) => event!.orderId)),
      intArray(heads.map(({ sequence }) => sequence)),
      textArray(heads.map(({ eventHash }) => eventHash)),
    ],
  );
};
