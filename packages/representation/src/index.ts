export { deliveryJson, firstLine, orderDeliveriesJson } from './delivery.ts';
export { endpointJson, endpointMetricsJson, handshakeJson } from './endpoint.ts';
export { type DisclosedValues, disclosedValues, entryJson, hashedEntryJson } from './entry.ts';
export { eventCustodyJson, eventJson } from './event.ts';
export {
  type EventName,
  eventCatalog,
  exampleAt,
  exampleBaseUrl,
  exampleHash,
  testEventJson,
} from './event-example.ts';
export { kilometers, type Point } from './kilometers.ts';
export {
  type LinkedCircle,
  type LinkedOrder,
  linkedOrderJson,
  linksEndAt,
} from './linked-order.ts';
export { locationJson, type OrderFields, orderBytes, orderJson, orderText } from './order.ts';
export { proofJson } from './proof.ts';
export { clockIn, instantIn, nearestIn, timeZoneOf } from './time-zone.ts';
