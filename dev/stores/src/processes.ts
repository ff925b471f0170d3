import { execFile } from 'node:child_process';
import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface RunningProcess {
  readonly pid: number;
  /** The command line; arguments are separated by spaces. */
  readonly args: string;
}

/**
 * Lists all visible processes. On Linux it reads /proc, because slim images have no `ps`, and omits
 * zombies and kernel threads.
 */
export const listProcesses = async (): Promise<RunningProcess[]> => {
  if (process.platform === 'linux') {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => ({ pid: Number(name), args: commandLine(name) }))
      .filter(({ args }) => args !== '');
  }
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,args='], { maxBuffer: 2 ** 24 });
  return stdout
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter((match) => match !== null)
    .map((match) => ({ pid: Number(match[1]), args: match[2] ?? '' }));
};

/** Whether a process with this id runs. On Linux a zombie does not count. */
export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return process.platform !== 'linux' || !/^State:\s+Z/m.test(procFile(`${pid}/status`));
};

/**
 * Sends a process the signal every second, kills it after `graceMs`, and waits until it has ended,
 * at most 5 s longer.
 */
export const endProcess = async (
  pid: number,
  signal: NodeJS.Signals,
  graceMs: number,
): Promise<void> => {
  const started = performance.now();
  for (let polls = 0; isAlive(pid) && performance.now() < started + graceMs + 5000; polls += 1) {
    const late = performance.now() > started + graceMs;
    if (polls % 20 === 0 || late) trySignal(pid, late ? 'SIGKILL' : signal);
    await sleep(50);
  }
};

const trySignal = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch {
    // the process has ended meanwhile
  }
};

const commandLine = (pid: string): string =>
  procFile(`${pid}/cmdline`).replaceAll('\0', ' ').trimEnd();

const procFile = (name: string): string => {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch {
    return ''; // the process has ended meanwhile
  }
};

/** Returns the path of a program on the PATH; undefined if there is none. */
export const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, name))
    .find(isProgram);

interface Java {
  readonly command: string;
  /** Major version: 17 for `17.0.15`, 8 for `1.8.0_402`. */
  readonly major: number;
}

/**
 * Returns the Java that Maven would use: from JAVA_HOME, otherwise from the PATH. Undefined if
 * there is none, or if it does not run.
 */
export const findJava = async (): Promise<Java | undefined> => {
  const home = process.env.JAVA_HOME;
  const command = home ? join(home, 'bin/java') : findProgram('java');
  if (command === undefined || !isProgram(command)) return undefined;
  try {
    const { stderr } = await run(command, ['-version'], { timeout: 20_000 });
    const version = /version "(?:1\.)?(\d+)/.exec(stderr);
    return version ? { command, major: Number(version[1]) } : undefined;
  } catch {
    return undefined; // without Java, macOS has a /usr/bin/java that only prints where to get one
  }
};

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
};
