/** Schemathesis, a fuzzer of others that reads OpenAPI documents; kept where npm keeps its caches. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const version = '4.32.5';
const folder = new URL(`../node_modules/.cache/schemathesis-${version}/`, import.meta.url).pathname;
const command = `${folder}bin/schemathesis`;
const installMaxMs = 240_000;
const runMaxMs = 240_000;

const run = promisify(execFile);

/**
 * Where it can be run from; installed on the first call, with the python3 of this machine.
 * @returns undefined where it cannot be had, after saying why.
 */
export const findSchemathesis = async (): Promise<string | undefined> => {
  if (existsSync(command)) return command;
  try {
    await run('python3', ['-m', 'venv', '--clear', folder], { timeout: installMaxMs });
    const install = ['install', '--quiet', `schemathesis==${version}`];
    await run(`${folder}bin/pip`, install, { timeout: installMaxMs });
    return command;
  } catch (error) {
    process.stderr.write(
      `Schemathesis ${version} cannot be installed here (python3 3.10 or newer with venv, and its package index): ${(error as Error).message}\n`,
    );
    return undefined;
  }
};

/** One run of it; what it keeps goes into the folder. @returns its exit code and all that it said. */
export const fuzz = async (
  schemathesis: string,
  words: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> => {
  const options = { cwd, timeout: runMaxMs, maxBuffer: 64 << 20 };
  try {
    const { stdout, stderr } = await run(schemathesis, words, options);
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    // the message would show the command, and with it the key
    const { code, killed, stdout, stderr } = error as Error & Record<string, string | number>;
    const late = killed ? `not done after ${runMaxMs} ms` : '';
    return { code: Number(code) || 1, output: `${stdout}${stderr}${late}` };
  }
};
