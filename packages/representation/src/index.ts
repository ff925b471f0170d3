export { locationJson } from './location.ts';
export { orderJson, orderText } from './order.ts';
