import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The harness first: a distribution's promtool may be too old for the tests. */
const homes = [
  ...(process.env.K8S_HOME ? [join(process.env.K8S_HOME, 'bin')] : []),
  ...(process.env.PATH ?? '').split(delimiter),
];

/** Where a program is, in `$K8S_HOME/bin` or on PATH; undefined where this machine has none. */
export const findProgram = (name: string): string | undefined =>
  homes.map((home) => join(home, name)).find((path) => existsSync(path));

/** Runs it to its end. @returns what it wrote and its exit code. */
export const run = (
  program: string,
  args: readonly string[],
  input = '',
): { code: number; output: string } => {
  try {
    const output = execFileSync(program, args, {
      input,
      encoding: 'utf8',
      timeout: 180_000,
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, BC_SKIP_MAPPING: 'TRUE' },
    });
    return { code: 0, output };
  } catch (error) {
    const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
    return { code: status ?? 1, output: `${stdout}${stderr}` };
  }
};
