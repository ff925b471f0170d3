export { inCodings } from './http-server/content-codings.ts';
export { startHttpServer } from './http-server/http-server.ts';
export {
  type ConnectionLimit,
  equalShares,
  limitConnections,
} from './http-server/limit-connections.ts';
export { httpTimings } from './http-server/timings.ts';
export { main, mainByRole, once } from './main.ts';
export { type Check, listening, type Service, untilHeld, within } from './service.ts';
