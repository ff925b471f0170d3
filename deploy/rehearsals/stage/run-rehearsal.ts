import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { CommandOptions, Rehearsal, Stage } from './rehearsal.ts';
import { openTranscript } from './transcript.ts';

const commandMaxMs = 120_000;

/**
 * Runs a rehearsal and prints its verdict as the last line.
 * @param path file of the transcript, which is replaced.
 * @param from a checkout of an earlier release, for a rehearsal that needs one.
 * @returns whether the rehearsal passed.
 */
export const runRehearsal = async (
  rehearsal: Rehearsal,
  path: string,
  from?: string,
): Promise<boolean> => {
  const begun = performance.now();
  const seconds = () => Math.round((performance.now() - begun) / 1000);
  const transcript = openTranscript(path);
  const folder = mkdtempSync(join(tmpdir(), 'pto-rehearsal-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user than root
  const closers: (() => Promise<unknown> | unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const stage: Stage = {
    folder,
    results: path.replace(/\.txt$/, ''),
    from,
    note: transcript.write,
    step: async (what, work) => {
      const started = performance.now();
      transcript.write(`\n## ${what}`, { shown: false });
      const result = await work();
      const took = ((performance.now() - started) / 1000).toFixed(1);
      transcript.write(`✓ ${what} (${took} s)`);
      return result;
    },
    command: (program, args, options = {}) =>
      runCommand(program, args, options, (line) => transcript.write(line, { shown: false })),
    atEnd: (close) => void closers.push(close),
  };
  let failure: Error | undefined;
  try {
    await rehearsal.run(stage);
  } catch (error) {
    failure = error as Error;
    transcript.write(`\n${failure.stack}\n${causeOf(failure)}`, { shown: false });
  }
  for (const close of closers.reverse())
    await Promise.resolve(close()).catch((error: Error) => transcript.write(`${error.stack}`));
  transcript.write(
    failure
      ? `${rehearsal.name}: failed after ${seconds()} s: ${failure.message.split('\n')[0]}`
      : `${rehearsal.name}: passed in ${seconds()} s`,
  );
  return failure === undefined;
};

const causeOf = ({ cause }: Error): string => (cause ? `cause: ${(cause as Error).stack}` : '');

const runCommand = (
  program: string,
  args: readonly string[],
  {
    env,
    cwd = '/',
    owner,
    codes = [0],
    shown,
    timeoutMs = commandMaxMs,
    interrupt,
  }: CommandOptions,
  write: (line: string) => void,
): Promise<string> =>
  new Promise((resolve, reject) => {
    write(`$ ${shown ?? [basename(program), ...args].join(' ')}`);
    const child = execFile(
      program,
      [...args],
      { env: env ?? process.env, cwd, timeout: timeoutMs, maxBuffer: 64 << 20, ...owner },
      (error, stdout, stderr) => {
        const code = typeof error?.code === 'number' ? error.code : error ? -1 : 0;
        for (const text of [stdout, stderr]) if (text.trim() !== '') write(text.trimEnd());
        if (code !== 0) write(`(exit ${code})`);
        if (codes.includes(code)) resolve(stdout);
        else reject(new Error(`${basename(program)} ended with ${code}: ${stderr || stdout}`));
      },
    );
    interrupt?.addEventListener('abort', () => child.kill('SIGINT'), { once: true });
  });
