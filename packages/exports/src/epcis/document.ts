import { namespace, uuid5 } from '../identifiers.ts';
import { type JsonObject, type OrderRecord, timeOf } from '../order-record.ts';
import { eventsOf } from './events.ts';

/**
 * Returns the custody history as an EPCIS 2.0 document (JSON-LD).
 *
 * No event has an `errorDeclaration`: the history is append-only, and no entry says that an earlier
 * one was wrong. The same orderRecord gives the same bytes.
 */
export const toEpcis = (orderRecord: OrderRecord): JsonObject => ({
  '@context': [
    'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
    { pto: namespace },
  ],
  id: `urn:uuid:${uuid5(orderRecord.order.id, 'epcis')}`,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: timeOf(orderRecord),
  epcisBody: {
    eventList: orderRecord.custody.entries.flatMap((entry) => eventsOf(orderRecord.order, entry)),
  },
});
