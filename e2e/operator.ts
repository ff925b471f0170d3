import { execFile } from 'node:child_process';
import { type Clients, openClients } from '../operator/src/clients.ts';
import { cleanEnvironment, type LocalStack } from './local-stack.ts';

/** A command takes no longer, in ms: the longest is `org move` beside all that a test does. */
const commandMaxMs = 120_000;

/** Runs the operator's command line. @returns what it printed as JSON, and its exit code. */
export const operator = (
  stack: LocalStack,
  ...words: readonly string[]
): Promise<{ code: number; json: never; stderr: string }> =>
  new Promise((resolve) => {
    const { command, cwd, env } = stack.file().operator;
    const [program, ...rest] = command;
    execFile(
      program!,
      [...rest, '--json', ...words],
      { cwd, env: { ...cleanEnvironment(), ...env }, timeout: commandMaxMs, maxBuffer: 64 << 20 },
      (error, stdout, stderr) =>
        resolve({
          code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
          json: (stdout === '' ? null : JSON.parse(stdout)) as never,
          stderr: error?.killed ? `${stderr}The command took too long.` : stderr,
        }),
    );
  });

const opened = new WeakMap<LocalStack, Clients>();

/** The operator's clients, without a process for each command. */
export const operatorClients = (stack: LocalStack): Clients => {
  const clients = opened.get(stack) ?? openClients({ ...stack.file().operator.env });
  opened.set(stack, clients);
  return clients;
};
