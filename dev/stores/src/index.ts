export { claimFolder, forgetStores } from './claim-folder.ts';
export type { FolderLock } from './folder-lock.ts';
export {
  createGuards,
  type GuardedCommand,
  type GuardedProcess,
  type Guards,
  guardLabel,
} from './guards.ts';
export { kafkaNeedsJava, startKafka } from './kafka/kafka.ts';
export { fetchWithMaven } from './kafka/maven.ts';
export { freePorts, isPortFree, reservePort } from './ports.ts';
export { makePrivateFolder } from './private-folder.ts';
export { isAlive, parentOf } from './processes.ts';
export { type Stores, type StoresWanted, startStores } from './start-stores.ts';
