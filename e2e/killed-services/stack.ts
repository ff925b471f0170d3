import { signalProcess } from '../chaos/faults/signal-process.ts';
import type { Mesh } from '../mesh.ts';

/** The local stack of a file, once it is started. */
export type Killed = () => Mesh;

const processesOf = (mesh: Mesh, names: readonly string[]) =>
  mesh.file().services.filter(({ name }) => names.includes(name));

/** Sends a signal to all processes of a service. */
export const signal = (mesh: Mesh, name: string, signal: NodeJS.Signals): void => {
  for (const { pid } of processesOf(mesh, [name])) signalProcess(pid, signal);
};

/** Kills one process of these services. @returns whether it ran. */
export const killOne = (mesh: Mesh, ...names: readonly string[]): boolean => {
  const victims = processesOf(mesh, names);
  return signalProcess(victims[Math.floor(Math.random() * victims.length)]!.pid, 'SIGKILL');
};
