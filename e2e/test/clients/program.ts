/** Programs of a partner: started in a folder, with the environment that a README names. */
import { execFile, spawn } from 'node:child_process';
import { until } from '@pto/testing';

const programMaxMs = 60_000;

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Without the settings of the test runner. */
const environment = (env: Place['env']): NodeJS.ProcessEnv => {
  const { NODE_OPTIONS, ...rest } = process.env;
  return { ...rest, ...env };
};

/** Runs a program. @returns what it printed. @throws Error with its output if it fails. */
export const run = ({ cwd, env }: Place, program: string, ...words: string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: environment(env), timeout: programMaxMs, maxBuffer: 2 ** 26 };
    execFile(program, words, options, (error, stdout, stderr) => {
      if (!error) return resolve(stdout);
      return reject(new Error(`${program} ${words.join(' ')}: ${stdout}${stderr}`));
    });
  });

/** Starts a program that goes on. `stop` ends it. */
export const start = ({ cwd, env }: Place, program: string, ...words: string[]) => {
  const child = spawn(program, words, { cwd, env: environment(env) });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part) => {
      output += part;
    });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    output: () => output,
    /** Waits until it has printed this. */
    printed: (text: string) =>
      until(
        () => {
          if (child.exitCode !== null) throw new Error(`${program} ended: ${output}`);
          return output.includes(text);
        },
        { what: `${program} to print ${text}` },
      ),
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
};
