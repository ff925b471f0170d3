import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const storage = new AsyncLocalStorage<string>();

/** The id of the request being served, on whichever service, or undefined outside of one. */
export const currentRequestId = (): string | undefined => storage.getStore();

export const newRequestId = (): string => randomUUID();

export const withRequestId = <T>(id: string | undefined, work: () => T): T =>
  id === undefined ? work() : storage.run(id, work);
