export type { FolderLock } from './folder.ts';
export { claimFolder, forgetStores } from './folder.ts';
export {
  createGuards,
  type GuardedCommand,
  type GuardedProcess,
  type Guards,
  guardLabel,
} from './guards.ts';
export { startKafka } from './kafka/kafka.ts';
export { fetchWithMaven } from './kafka/maven.ts';
export { makePrivateFolder } from './log-file.ts';
export { freePorts, isPortFree, reservePort } from './ports.ts';
export { startPostgres } from './postgres/postgres.ts';
export { postgresOwner } from './postgres/postgres-binary.ts';
export { startStandby } from './postgres/standby.ts';
export { withClient } from './postgres/with-client.ts';
export { isAlive } from './processes.ts';
export { type Stores, startStores } from './start-stores.ts';
export { startStore } from './store.ts';
