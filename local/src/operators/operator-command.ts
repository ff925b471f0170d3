import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Failure } from '@pto/errors';
import { operatorRoles } from '@pto/proto/callers';
import { openClients } from '../../../operator/src/clients.ts';
import { checkout, compileCache } from '../checkout.ts';
import type { PlannedProcess } from '../processes/plan.ts';
import type { ProgramFiles } from '../processes/programs.ts';

/**
 * How to start the operator's command line: the program and its first arguments, the working
 * folder, and variables to add to the environment.
 */
export interface OperatorCommand {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const run = promisify(execFile);
const withinMs = 60_000;

/** Returns the operator's command line for the operators service among these processes. */
export const operatorCommand = (
  processes: readonly PlannedProcess[],
  programs: ProgramFiles,
  caFile: string,
  personalToken: string,
): OperatorCommand => {
  const gateway = processes.find(({ name }) => name === 'operators');
  return {
    command: [process.execPath, programs.fileOf('operator')],
    cwd: checkout,
    env: {
      OPERATOR_URL: `https://127.0.0.1:${gateway?.env.OPERATORS_PORT}`,
      OPERATOR_CA_FILE: caFile,
      OPERATOR_TOKEN: personalToken,
    },
  };
};

/**
 * Runs the operator's command line.
 * @returns its JSON output.
 * @throws Error with its error output.
 */
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
    const message = (error as { stderr?: string }).stderr?.trim() || (error as Error).message;
    throw new Error(`operator ${words.slice(0, 2).join(' ')}: ${message}`);
  }
};

/**
 * Returns a personal operator token for this folder's local stack: `stored` if the operators service
 * accepts it, else a new token with all roles.
 * @param command the operator's command line; its environment needs no token.
 */
export const openOperatorToken = async (
  stored: string,
  command: OperatorCommand,
  programs: ProgramFiles,
  ownerUrl: string,
  signal: AbortSignal,
): Promise<string> => {
  if (stored !== '' && (await isValid({ ...command.env, OPERATOR_TOKEN: stored }, signal)))
    return stored;
  const { stdout } = await run(
    process.execPath,
    [
      programs.fileOf('first-token'),
      ...['--another', '--json', '--name', 'local', '--expires-in', '366d'],
      ...operatorRoles.flatMap((role) => ['--role', role]),
    ],
    {
      cwd: checkout,
      env: {
        ...process.env,
        NODE_COMPILE_CACHE: compileCache,
        MIGRATION_DATABASE_URL: ownerUrl,
      },
      timeout: withinMs,
      signal,
    },
  );
  return (JSON.parse(stdout) as { token: string }).token;
};

const isValid = async (env: Readonly<Record<string, string>>, signal: AbortSignal) => {
  try {
    await openClients(env).operators.whoAmI({}, { signal });
    return true;
  } catch (error) {
    if (error instanceof Failure && error.kind.startsWith('OPERATOR_')) return false;
    throw error;
  }
};
