import { type Dossier, type JsonObject, timeOf } from '../dossier.ts';
import { uuid5, uuidUri } from '../identifiers.ts';
import { devices, documents, observations } from './conditions.ts';
import { auditEvents, provenances } from './custody.ts';
import { serviceRequest, specimens, task } from './order.ts';
import { locations, organizations } from './places.ts';

/**
 * Returns the order and its custody history as a FHIR R4 Bundle of the type `collection`. Ids are
 * UUIDs of version 5 within the id of the order or the entry: the same dossier gives the same bytes.
 */
export const toFhir = (dossier: Dossier): JsonObject => {
  const { order } = dossier;
  const resources = [
    serviceRequest(order),
    task(dossier),
    ...specimens(order),
    ...locations(order),
    ...organizations(dossier),
    ...devices(dossier),
    ...documents(dossier),
    ...observations(dossier),
    ...provenances(dossier),
    ...auditEvents(dossier),
  ];
  return {
    resourceType: 'Bundle',
    id: uuid5(order.id, 'Bundle'),
    type: 'collection',
    timestamp: timeOf(dossier),
    entry: resources.map((one) => ({ fullUrl: uuidUri(one.id), resource: one })),
  };
};
