export { startWitness } from './service.ts';
