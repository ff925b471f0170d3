export { endpointJson, handshakeJson } from './endpoint.ts';
export { locationJson, type OrderFields, orderJson, orderText } from './order.ts';
