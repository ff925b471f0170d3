/** Runs commands of the documentation as a reader does: by a shell, in a folder of their own. */
import { execFile } from 'node:child_process';
import { dirname, extname } from 'node:path';
import { snippetFile } from './documented-site.ts';

const runMaxMs = 30_000;

/** `node` is the Node that runs this test. */
const programs: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.mjs': process.execPath,
  '.py': 'python3',
};

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Returns what a snippet printed, and its exit code. */
export const runSnippet = (
  name: string,
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> => run(programs[extname(name)]!, [snippetFile(name)], cwd, environment);

export const run = (
  program: string,
  words: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
): Promise<Ran> =>
  new Promise((resolve) => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { HOME, PATH: `${dirname(process.execPath)}:${PATH}`, ...environment };
    execFile(program, words, { cwd, env, timeout: runMaxMs }, (error, stdout, stderr) =>
      resolve({
        code: typeof error?.code === 'number' ? error.code : error ? 1 : 0,
        stdout,
        stderr,
      }),
    );
  });
