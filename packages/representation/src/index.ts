export { locationJson } from './location.ts';
export { orderJson } from './order.ts';
