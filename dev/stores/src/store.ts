import { setTimeout as sleep } from 'node:timers/promises';
import type { GuardedCommand, GuardedProcess, Guards } from './guards.ts';

/** A store that this process runs. */
export interface RunningStore extends GuardedProcess {
  readonly name: string;
}

const readyWithinMs = 60_000;
const pollMs = 20;

/**
 * Starts a store and waits up to 60 s until it responds.
 * @throws Error with the store's last output if the store ends or does not respond.
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
  const failure = (what: string) =>
    new Error(`${name} ${what}:\n${store.output().trimEnd().split('\n').slice(-15).join('\n')}`);
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
