export { type AdminServer, startAdminServer } from './admin-server.ts';
export { main, mainByRole } from './main.ts';
export { once } from './once.ts';
export { type Check, listening, type Service, untilHeld, within } from './service.ts';
