import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedCommand, GuardedProcess, Guards } from './guards.ts';

/** A store that this process runs. */
export interface RunningStore extends GuardedProcess {
  readonly name: string;
}

const readyWithinMs = 60_000;
const pollMs = 20;

/** Thrown if another process took the chosen port before the store could listen on it. */
export class AddressInUse extends Error {}

/**
 * Starts a store and waits up to 60 s until it responds.
 * @throws AddressInUse if the port is in use; another Error if the store ends or does not respond.
 *   The message of both contains the store's last output.
 */
export const startStore = async (
  guards: Guards,
  name: string,
  command: GuardedCommand,
  isReady: (store: GuardedProcess) => Promise<boolean>,
): Promise<RunningStore> => {
  const store = await guards.run(name, command);
  let code: number | undefined;
  store.exited.then((exit) => {
    code = exit;
  });
  const failure = (what: string) => {
    const text = store.output();
    const inUse = /address already in use|could not create any TCP\/IP sockets/i.test(text);
    const words = `${name} ${what}:\n${text.trimEnd().split('\n').slice(-15).join('\n')}`;
    return inUse ? new AddressInUse(words) : new Error(words);
  };
  const deadline = performance.now() + readyWithinMs;
  while (!(await isReady(store).catch(() => false))) {
    if (code !== undefined) throw failure(`stopped while starting (${code})`);
    if (performance.now() > deadline) {
      await store.stop();
      throw failure(`was not ready after ${readyWithinMs / 1000} s`);
    }
    await sleep(pollMs);
  }
  return { name, ...store };
};

/**
 * Starts a store. If a port was taken after it was chosen, starts the store a second time with
 * other ports.
 */
export const withOtherPorts = async <T>(start: () => Promise<T>): Promise<T> => {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof AddressInUse)) throw error;
    return start();
  }
};
