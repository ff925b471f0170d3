import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { firstToken } from './first-token.ts';
import { openForward, operatorProgram } from './operator-forward.ts';

const run = promisify(execFile);
const withinMs = 120_000;
/** Issued once for each press of a button. */
let token: Promise<string> | undefined;

/**
 * The operator's command line, for the cluster that Tilt judged.
 * @returns what it printed as JSON. @throws Error with its own words.
 */
export const operator = async <T>(...words: readonly string[]): Promise<T> => {
  const { TILT_CONTEXT = '', TILT_NAMESPACE = '' } = process.env;
  const cluster = ['--context', TILT_CONTEXT, '--namespace', TILT_NAMESPACE];
  const fail = (error: unknown): never => {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `operator ${words.slice(0, 2).join(' ')}: ${stdout ?? ''}${stderr || (error as Error).message}`,
    );
  };
  token ??= firstToken(cluster);
  const OPERATOR_TOKEN = await token.catch(fail);
  const forward = await openForward(cluster);
  try {
    const { stdout } = await run(process.execPath, [operatorProgram, '--json', ...words], {
      env: { ...process.env, ...forward.environment, OPERATOR_TOKEN },
      timeout: withinMs,
      maxBuffer: 2 ** 24,
    }).catch(fail);
    return JSON.parse(stdout) as T;
  } finally {
    forward.close();
  }
};
