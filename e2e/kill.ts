import { readFileSync } from 'node:fs';
import type { LocalStack } from './local-stack.ts';

/**
 * Sends a signal to a process; none where its id is not known or it has ended.
 * @returns whether it was sent.
 */
export const signalProcess = (pid: number, name: NodeJS.Signals): boolean => {
  try {
    return pid !== 0 && process.kill(pid, name); // 0 would be the group of this process
  } catch {
    return false; // it is being started again
  }
};

const processesOf = (stack: LocalStack, names: readonly string[]) =>
  stack.file().services.filter(({ name }) => names.includes(name));

/** Sends a signal to all processes of a service. */
export const signalAll = (stack: LocalStack, name: string, signal: NodeJS.Signals): void => {
  for (const { pid } of processesOf(stack, [name])) signalProcess(pid, signal);
};

/** Kills one process of these services. @returns whether it ran. */
export const killOne = (stack: LocalStack, ...names: readonly string[]): boolean => {
  const victims = processesOf(stack, names);
  return signalProcess(victims[Math.floor(Math.random() * victims.length)]!.pid, 'SIGKILL');
};

/** The environment with which a process was started, as the kernel shows it (Linux). */
export const environmentOf = (pid: number): Record<string, string> =>
  Object.fromEntries(
    readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .filter((line) => line.includes('='))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
