import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { checkout, compileCache } from './checkout.ts';
import { identity } from './identities.ts';
import type { PlannedProcess } from './plan.ts';
import type { ServiceName } from './services.ts';

/** The operator's command line: the command, then its words, with `env` added. */
export interface OperatorCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const withinMs = 60_000;

/** The operator's command line against these processes; the first replica of each is enough. */
export const operatorCommand = (
  processes: readonly PlannedProcess[],
  identityFolder: string,
): OperatorCommand => {
  const url = (name: ServiceName) =>
    processes.find((process) => process.name === name)?.internalUrl ?? '';
  return {
    command: [process.execPath, 'operator/src/main.ts'],
    cwd: checkout,
    env: {
      OPERATOR_GATEWAY_URL: url('gateway'),
      OPERATOR_ORDERS_URL: url('orders'),
      OPERATOR_CUSTODY_URL: url('custody'),
      OPERATOR_WEBHOOKS_URL: url('webhooks'),
      ...identity('operator-gateway', identityFolder),
    },
  };
};

/** Runs the operator's command line. @returns what it printed. @throws Error with its own words. */
export const runOperator = async <T>(
  { command, cwd, env }: OperatorCommand,
  words: readonly string[],
  signal: AbortSignal,
): Promise<T> => {
  const [program = '', ...first] = command;
  try {
    const { stdout } = await run(program, [...first, '--json', ...words], {
      cwd,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      timeout: withinMs,
      maxBuffer: 2 ** 24,
      signal,
    });
    return JSON.parse(stdout) as T;
  } catch (error) {
    signal.throwIfAborted();
    const said = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(`operator ${words.slice(0, 2).join(' ')}: ${said}`);
  }
};
