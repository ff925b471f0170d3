export { endpointJson, handshakeJson } from './endpoint.ts';
export { locationJson } from './location.ts';
export { type OrderFields, orderJson, orderText } from './order.ts';
