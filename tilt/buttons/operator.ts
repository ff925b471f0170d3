import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { firstToken, withToken } from './first-token.ts';

const run = promisify(execFile);
const withinMs = 120_000;
/** Issued once for each press of a button. */
let token: Promise<string> | undefined;

/**
 * The operator's command line, where it stands in the cluster that Tilt judged.
 * @returns what it printed as JSON. @throws Error with its own words.
 */
export const operator = async <T>(...words: readonly string[]): Promise<T> => {
  const { TILT_CONTEXT = '', TILT_NAMESPACE = '' } = process.env;
  const cluster = ['--context', TILT_CONTEXT, '--namespace', TILT_NAMESPACE];
  try {
    token ??= firstToken(cluster);
    const node = ['/usr/local/bin/node', ...withToken(await token), 'main.mjs'];
    const program = ['exec', 'deployment/operator', '--', ...node];
    const { stdout } = await run('kubectl', [...cluster, ...program, '--json', ...words], {
      timeout: withinMs,
      maxBuffer: 2 ** 24,
    });
    return JSON.parse(stdout) as T;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(
      `operator ${words.slice(0, 2).join(' ')}: ${stdout ?? ''}${stderr || (error as Error).message}`,
    );
  }
};
