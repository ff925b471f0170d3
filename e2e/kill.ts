import type { Mesh } from './mesh.ts';

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

const processesOf = (mesh: Mesh, names: readonly string[]) =>
  mesh.file().services.filter(({ name }) => names.includes(name));

/** Sends a signal to all processes of a service. */
export const signalAll = (mesh: Mesh, name: string, signal: NodeJS.Signals): void => {
  for (const { pid } of processesOf(mesh, [name])) signalProcess(pid, signal);
};

/** Kills one process of these services. @returns whether it ran. */
export const killOne = (mesh: Mesh, ...names: readonly string[]): boolean => {
  const victims = processesOf(mesh, names);
  return signalProcess(victims[Math.floor(Math.random() * victims.length)]!.pid, 'SIGKILL');
};
