import { type Dossier, type JsonObject, timeOf } from '../dossier.ts';
import { namespace, uuid5 } from '../identifiers.ts';
import { eventsOf } from './events.ts';

/**
 * Returns the custody history as an EPCIS 2.0 document (JSON-LD).
 *
 * No event has an `errorDeclaration`: the history is append-only, and no entry says that an earlier
 * one was wrong. The same dossier gives the same bytes.
 */
export const toEpcis = (dossier: Dossier): JsonObject => ({
  '@context': [
    'https://ref.gs1.org/standards/epcis/2.0.0/epcis-context.jsonld',
    { pto: namespace },
  ],
  id: `urn:uuid:${uuid5(dossier.order.id, 'epcis')}`,
  type: 'EPCISDocument',
  schemaVersion: '2.0',
  creationDate: timeOf(dossier),
  epcisBody: {
    eventList: dossier.custody.entries.flatMap((entry) => eventsOf(dossier.order, entry)),
  },
});
