import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { forgetStores } from '../src/folder.ts';
import { listProcesses, type RunningProcess } from '../src/processes.ts';
import type { Stores } from '../src/start-stores.ts';

const program = fileURLToPath(new URL('stores-program.ts', import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** What it has printed. */
  output(): string;
  errors(): string;
  /** Undefined until its stores run. */
  stores(): Stores | undefined;
  readonly exited: Promise<number | null>;
}

/** Starts stores-program on a folder; other arguments are stores to use as they are. */
export const runProgram = (dir: string, ...args: string[]): Program => {
  const child = spawn(process.execPath, [program, dir, ...args]);
  let [output, errors] = ['', ''];
  child.stdout.on('data', (text) => {
    output += text;
  });
  child.stderr.on('data', (text) => {
    errors += text;
  });
  return {
    child,
    output: () => output,
    errors: () => errors,
    stores: () => (output.includes('\n') ? JSON.parse(output.split('\n')[0]!) : undefined),
    exited: new Promise((resolve) => child.once('exit', resolve)),
  };
};

/** A folder that only this user can enter, and its removal with all that stores left elsewhere. */
export const privateFolder = (): { dir: string; remove(): void } => {
  const dir = mkdtempSync(join(tmpdir(), 'stores-test-'));
  const remove = () => {
    forgetStores(dir);
    rmSync(dir, { recursive: true });
  };
  return { dir, remove };
};

/** Processes that have the folder, or the cluster that stands elsewhere for it, on their command line. */
export const processesOf = async (dir: string, pids: readonly number[] = []) =>
  (await listProcesses()).filter(
    ({ pid, args }: RunningProcess) => args.includes(dir) || pids.includes(pid),
  );
