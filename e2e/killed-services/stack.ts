import type { Mesh } from '../mesh.ts';

/** The local stack of a file, once it is started. */
export type Killed = () => Mesh;

const processesOf = (mesh: Mesh, name: string) =>
  mesh.file().services.filter((service) => service.name === name);

/** Sends a signal to all processes of a service. */
export const signal = (mesh: Mesh, name: string, signal: NodeJS.Signals): void => {
  for (const { pid } of processesOf(mesh, name)) send(pid, signal);
};

/** Kills one process of a service. @returns whether it ran. */
export const killOne = (mesh: Mesh, name: string): boolean => {
  const victims = processesOf(mesh, name);
  return send(victims[Math.floor(Math.random() * victims.length)]!.pid, 'SIGKILL');
};

const send = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(pid, signal);
  } catch {
    return false; // the launcher starts it again
  }
};
