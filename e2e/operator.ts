import { execFile } from 'node:child_process';
import { type Clients, openClients } from '../operator/src/clients.ts';
import { cleanEnvironment } from './clean-environment.ts';
import type { Mesh } from './mesh.ts';

/** Runs the operator's command line. @returns what it printed as JSON, and its exit code. */
export const operator = (mesh: Mesh, ...words: readonly string[]): Promise<Printed> =>
  operatorAs(mesh, mesh.file().operator.env.OPERATOR_TOKEN ?? '', words);

interface Printed {
  readonly code: number;
  readonly json: never;
  readonly stderr: string;
}

/** The same, with another operator's token. */
export const operatorAs = (mesh: Mesh, token: string, words: readonly string[]): Promise<Printed> =>
  new Promise((resolve) => {
    const { command, cwd, env: given } = mesh.file().operator;
    const env = { ...given, OPERATOR_TOKEN: token };
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
