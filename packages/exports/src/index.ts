export type { Dossier } from './dossier.ts';
export { toEpcis } from './epcis/document.ts';
