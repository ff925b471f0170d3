import { fork } from 'node:child_process';
import { once } from 'node:events';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nameProcess } from '../measuring/process-cpu.ts';

/** A process of its own, so that what is measured shares neither heap nor turns with its neighbours. */
export interface Program {
  readonly pid: number;
  send(message: string): void;
  /** @returns what it tells next. @throws where it ends instead. */
  received<Received>(): Promise<Received>;
  /** The program exits when its parent process is gone. */
  close(): void;
}

/** Starts a program of this folder. It finds the settings by `settingsOf`. */
export const startProgram = (name: string, settings: object): Program => {
  const file = fileURLToPath(new URL(name, import.meta.url));
  const process = fork(file, [JSON.stringify(settings)]);
  nameProcess(process.pid!, basename(name, '.ts'));
  const gone = new AbortController();
  process.once('exit', () => gone.abort(new Error(`${name} ended`)));
  return {
    pid: process.pid!,
    send: (message) => process.send(message),
    received: async () => (await once(process, 'message', gone))[0],
    close: () => process.disconnect(),
  };
};

/** In the program: what `startProgram` was given. */
export const settingsOf = <Settings extends object>(): Settings => {
  process.on('disconnect', () => process.exit());
  return JSON.parse(process.argv[2]!);
};
