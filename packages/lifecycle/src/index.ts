export { main, mainByRole, once } from './main.ts';
export { oneRequest } from './one-request.ts';
export { type Check, listening, type Service, untilHeld, within } from './service.ts';
