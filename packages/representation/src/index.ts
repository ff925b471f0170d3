export { endpointJson, handshakeJson } from './endpoint.ts';
export { hashedEntryJson } from './entry.ts';
export { eventCustodyJson, eventJson } from './event.ts';
export { locationJson, type OrderFields, orderBytes, orderJson, orderText } from './order.ts';
