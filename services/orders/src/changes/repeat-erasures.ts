import { fromBinary } from '@bufbuild/protobuf';
import type { IncomingMessage } from '@pto/bus';
import { bulkStatement, type Sql } from '@pto/database';
import { CustodyEventSchema } from '@pto/proto/custody/events/v1/custody_event';
import type { ErasedFields } from '../domain/order.ts';
import { tables } from '../schema/tables.ts';

const erasedTypes = {
  organization_id: 'uuid',
  order_id: 'uuid',
  sequence: 'int',
  field: 'text',
} as const;

const erase = bulkStatement(erasedTypes, (rows) =>
  tables
    .with('drivers', (db) =>
      db
        .updateTable('orders as o')
        .from(rows('e'))
        .set({ driver: null, driver_id: null })
        .whereRef('o.organization_id', '=', 'e.organization_id')
        .whereRef('o.id', '=', 'e.order_id')
        .where('e.field', '=', 'driver')
        .where('o.driver', 'is not', null),
    )
    .deleteFrom('disclosures as d')
    .using(rows('r'))
    .whereRef('d.organization_id', '=', 'r.organization_id')
    .whereRef('d.order_id', '=', 'r.order_id')
    .whereRef('d.sequence', '=', 'r.sequence')
    .whereRef('d.field', '=', 'r.field'),
);

/**
 * Deletes the values that custody's entries name as erased. Usually they are deleted already: a
 * value is there only if this database was restored to a moment before its erasure (decision 70).
 */
export const repeatErasures = async (
  sql: Sql,
  messages: readonly IncomingMessage[],
): Promise<void> => {
  const erased = messages
    .filter(({ type }) => type === 'order.updated')
    .flatMap(({ value }) => erasedBy(value));
  if (erased.length > 0) await erase(sql, erased);
};

const erasedBy = (message: Uint8Array) => {
  const { event } = fromBinary(CustodyEventSchema, message);
  if (event?.internalType !== 'PERSONAL_DATA_ERASED') return [];
  const { erased } = JSON.parse(event.payloadJson) as { readonly erased: ErasedFields };
  return Object.entries(erased).flatMap(([field, sequences]) =>
    sequences.map((sequence) => ({
      organization_id: event.organizationId,
      order_id: event.orderId,
      ...{ sequence, field },
    })),
  );
};
