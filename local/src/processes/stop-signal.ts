import { parentOf } from '@pto/stores';

const lookAfterNpmMs = 500;

/** The abort reason of a requested stop, which is not a failure. */
export class Stopped extends Error {}

/**
 * Aborts `end` when this process receives SIGINT (Ctrl-C), SIGTERM or SIGHUP, or when the npm
 * process that started it no longer exists: a killed npm sends no signal. A second signal exits
 * this process immediately; the process supervisor wrappers then end the other processes.
 */
export const stopOnSignals = async (end: AbortController): Promise<void> => {
  let requested = false;
  const stop = () => {
    if (requested) process.exit(1);
    requested = true;
    end.abort(new Stopped('stopped'));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = await npmPid();
  const look = () => {
    if (npm !== undefined && !exists(npm)) end.abort(new Stopped('npm was killed'));
  };
  setInterval(look, lookAfterNpmMs).unref();
};

/**
 * Returns npm's process id. npm starts a shell, which starts this process or replaces itself with
 * this process.
 */
const npmPid = async (): Promise<number | undefined> => {
  const parent = await parentOf(process.pid);
  if (!parent) return undefined;
  const isShell = /^(\S*\/)?sh -c /.test(parent.args);
  return isShell ? (await parentOf(parent.pid))?.pid : parent.pid;
};

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};
