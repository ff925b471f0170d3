import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
