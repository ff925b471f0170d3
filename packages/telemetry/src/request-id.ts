import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const storage = new AsyncLocalStorage<string>();

/** Returns the id of the request that is being served; undefined outside of a request. */
export const currentRequestId = (): string | undefined => storage.getStore();

export const newRequestId = (): string => randomUUID();

export const withRequestId = <T>(id: string | undefined, work: () => T): T =>
  id === undefined ? work() : storage.run(id, work);
