export type { Dossier } from './dossier.ts';
export { toEpcis } from './epcis/document.ts';
export { toFhir } from './fhir/bundle.ts';
