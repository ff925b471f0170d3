import { uuid5, uuidUri } from '../identifiers.ts';
import { type JsonObject, type OrderRecord, timeOf } from '../order-record.ts';
import { devices, documents, observations } from './conditions.ts';
import { auditEvents, provenances } from './custody.ts';
import { serviceRequest, specimens, task } from './order.ts';
import { locations, organizations } from './places.ts';

/**
 * Returns the order and its custody history as a FHIR R4 Bundle of the type `collection`. Ids are
 * UUIDs of version 5 within the id of the order or the entry: the same orderRecord gives the same bytes.
 */
export const toFhir = (orderRecord: OrderRecord): JsonObject => {
  const { order } = orderRecord;
  const resources = [
    serviceRequest(order),
    task(orderRecord),
    ...specimens(order),
    ...locations(order),
    ...organizations(orderRecord),
    ...devices(orderRecord),
    ...documents(orderRecord),
    ...observations(orderRecord),
    ...provenances(orderRecord),
    ...auditEvents(orderRecord),
  ];
  return {
    resourceType: 'Bundle',
    id: uuid5(order.id, 'Bundle'),
    type: 'collection',
    timestamp: timeOf(orderRecord),
    entry: resources.map((one) => ({ fullUrl: uuidUri(one.id), resource: one })),
  };
};
