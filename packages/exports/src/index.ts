export { toEpcis } from './epcis/document.ts';
export { toFhir } from './fhir/bundle.ts';
export type { OrderRecord } from './order-record.ts';
