import { execFile } from 'node:child_process';
import { type Clients, openClients } from '../operator/src/clients.ts';
import { cleanEnvironment, type Mesh } from './mesh.ts';

/** Runs the operator's command line. @returns what it printed as JSON, and its exit code. */
export const operator = (
  mesh: Mesh,
  ...words: readonly string[]
): Promise<{ code: number; json: never; stderr: string }> =>
  new Promise((resolve) => {
    const { command, cwd, env } = mesh.file().operator;
    const [program, ...rest] = command;
    execFile(
      program!,
      [...rest, '--json', ...words],
      { cwd, env: { ...cleanEnvironment(), ...env }, timeout: 60_000, maxBuffer: 64 << 20 },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
          json: (stdout === '' ? null : JSON.parse(stdout)) as never,
          stderr,
        }),
    );
  });

const opened = new WeakMap<Mesh, Clients>();

/** The operator's clients, without a process for each command. */
export const operatorClients = (mesh: Mesh): Clients => {
  const clients = opened.get(mesh) ?? openClients({ ...mesh.file().operator.env });
  opened.set(mesh, clients);
  return clients;
};
