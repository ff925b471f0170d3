import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLog } from './log-file.ts';
import { endProcess, isAlive } from './processes.ts';

/**
 * A command to run under a guard: a wrapper that ends the command when this process ends for any
 * reason.
 */
export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /**
   * The signal that stops the command. The guard repeats the signal every second, because a command
   * that has just started can miss it.
   */
  readonly signal: 'INT' | 'TERM';
  /** Seconds from the first stop signal until the guard sends KILL. */
  readonly graceS: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface GuardedProcess {
  readonly pid: number;
  /** The file to which the command's output is appended. */
  readonly logFile: string;
  /** Offset in the file, in bytes, at which this run's output begins. */
  readonly logStart: number;
  /**
   * Resolves with the command's exit code, with 128 + the signal's number if a signal ended the
   * command, or with -1 if the guard was killed. Never rejects.
   */
  readonly exited: Promise<number>;
  /** Returns the output of this run, at most the last 64 KiB. */
  output(): string;
  /**
   * Sends the stop signal and waits for the command's end. May be called again.
   * @returns the exit code that `exited` resolves with.
   */
  stop(): Promise<number>;
}

/** Starts and stops the processes of one folder. */
export interface Guards {
  /**
   * Starts a command.
   * @throws Error if `stopAll` was called before, or if the guard does not start.
   */
  run(name: string, command: GuardedCommand): Promise<GuardedProcess>;
  /** Stops all commands, and makes `run` reject from then on. May be called again. */
  stopAll(): Promise<void>;
}

const script = readFileSync(fileURLToPath(new URL('guard.sh', import.meta.url)), 'utf8');

/**
 * Returns the text that is in the command line of each of a folder's guards. By this text a later
 * run finds guards that are still running.
 */
export const guardLabel = (dir: string, name: string): string => `guard[${dir}] ${name}`;

/** Creates the guards of a folder. Their log files are in its subfolder `logs`. */
export const createGuards = (dir: string): Guards => {
  const running = new Set<GuardedProcess>();
  let stopping = false;
  const run = async (name: string, command: GuardedCommand) => {
    if (stopping) throw new Error('stopping');
    const started = await start(dir, name, command);
    running.add(started);
    started.exited.then(() => running.delete(started));
    if (stopping) await started.stop();
    return started;
  };
  const stopAll = async () => {
    stopping = true;
    await Promise.all([...running].map((process) => process.stop()));
  };
  return { run, stopAll };
};

const start = async (dir: string, name: string, what: GuardedCommand): Promise<GuardedProcess> => {
  const logFile = join(dir, 'logs', `${name}.log`);
  const log = openLog(logFile);
  // Pass the script's text instead of its path: the user that runs the guard may not be able to
  // read the file.
  const words = ['-c', script, guardLabel(dir, name), what.signal, `${what.graceS}`, what.command];
  const guard = spawn('/bin/sh', [...words, ...what.args], {
    stdio: ['pipe', log.fd, log.fd, 'pipe'],
    detached: true, // Ctrl-C in a terminal must reach only this process
    cwd: what.cwd ?? '/',
    env: what.env ?? process.env,
    ...what.owner,
  });
  log.close();
  guard.stdin?.on('error', () => {});
  const gone = new Promise<number>((resolve) => guard.once('exit', (code) => resolve(code ?? -1)));
  const pid = await new Promise<number>((resolve, reject) => {
    guard.once('error', reject);
    guard.stdio[3]?.once('data', (bytes: Buffer) => resolve(Number(bytes)));
    gone.then(() => reject(new Error(`${name}: its guard ended at once`)));
  });
  const exited = gone.then(async (code) => {
    if (code === -1 && isAlive(pid)) await endProcess(pid, `SIG${what.signal}`, what.graceS * 1000);
    guard.stdin?.destroy();
    return code;
  });
  const stop = () => {
    guard.stdin?.end();
    return exited;
  };
  return { pid, logFile, logStart: log.start, exited, output: log.sinceStart, stop };
};
