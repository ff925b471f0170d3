export { main, mainByRole, once } from './main.ts';
export { type Check, listening, type Service, untilHeld, within } from './service.ts';
