import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameProcess } from '../measuring/process-cpu.ts';

/**
 * Starts a program of this folder as a process of its own, so that what is measured shares neither
 * heap nor turns with its neighbours. It finds the settings by `settingsOf`.
 */
export const startProgram = (name: string, settings: object) => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const process = fork(file, [JSON.stringify(settings)]);
  nameProcess(process.pid!, basename(name, '.ts'));
  const gone = new AbortController();
  process.once('exit', () => gone.abort(new Error(`${name} ended`)));
  return {
    send: (message: string) => process.send(message),
    /** @returns what it tells next. @throws where it ends instead. */
    received: async <Received>(): Promise<Received> => (await once(process, 'message', gone))[0],
    /** The program exits when its parent process is gone. */
    close: () => process.disconnect(),
  };
};

/** In the program: what `startProgram` was given. */
export const settingsOf = <Settings extends object>(): Settings => {
  process.on('disconnect', () => process.exit());
  return JSON.parse(process.argv[2]!);
};
