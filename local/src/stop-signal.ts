import { parentOf } from '@pto/stores';

const lookAfterNpmMs = 500;

/** Somebody asked for the end: not a failure. */
export class Stopped extends Error {}

/**
 * Aborts by Ctrl-C, SIGTERM or SIGHUP, and when the npm that started us was killed, which nobody
 * tells us. A second signal ends this process at once; the guards then end all others.
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

/** npm starts a shell, and that starts us; some shells give way to us. */
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
