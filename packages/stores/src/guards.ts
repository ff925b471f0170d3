import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openLog } from './log-file.ts';
import { endProcess, isAlive } from './processes.ts';

/** Something to run so that it ends when this process ends, in whatever way that happens. */
export interface GuardedCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Asks for a stop; sent again every second, since an early one can be lost. */
  readonly signal: 'INT' | 'TERM';
  /** Seconds until KILL. */
  readonly graceS: number;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly owner?: { readonly uid: number; readonly gid: number } | undefined;
}

export interface GuardedProcess {
  readonly pid: number;
  /** Its output is appended here. */
  readonly logFile: string;
  /** Where in the file this run's output begins, in bytes. */
  readonly logStart: number;
  /** The exit code, 128 + the signal's number, or -1 if the guard was killed. Never rejects. */
  readonly exited: Promise<number>;
  /** What it printed in this run, at most the last 64 KiB. */
  output(): string;
  /** Asks for a stop and waits for it. May be called again. */
  stop(): Promise<number>;
}

/** The processes that one folder's user runs. */
export interface Guards {
  /** @throws Error when stopAll was called before, or where there is no shell. */
  run(name: string, command: GuardedCommand): Promise<GuardedProcess>;
  /** Ends all that runs, and lets nothing start any more. May be called again. */
  stopAll(): Promise<void>;
}

const script = readFileSync(fileURLToPath(new URL('guard.sh', import.meta.url)), 'utf8');

/** What every guard of a folder is called, so that the next start finds those still at work. */
export const guardLabel = (dir: string, name: string): string => `guard[${dir}] ${name}`;

/** Guards for the processes of a folder; their logs stand in its `logs`. */
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
  // The script goes as text: another user may be unable to read the file.
  const words = ['-c', script, guardLabel(dir, name), what.signal, `${what.graceS}`, what.command];
  const guard = spawn('/bin/sh', [...words, ...what.args], {
    stdio: ['pipe', log.fd, log.fd, 'pipe'],
    detached: true, // Ctrl-C in a terminal is for us, not for them
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
