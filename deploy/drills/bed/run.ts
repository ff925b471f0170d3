import { execFile } from 'node:child_process';
import { appendFileSync, chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Bed, CommandOptions, Drill } from '../drill.ts';

const commandMaxMs = 120_000;
const longestText = 4000;

/** Text that no transcript has: keys, tokens, secrets, and passwords of URLs. */
const secrets = /\b(?:svc_(?:live|test)_|whsec_|opt_)\w+|(?<=:\/\/[^\s:@/]*:)[^\s@/]+(?=@)/g;

/**
 * Runs a drill and prints its verdict as the last line.
 * @param path file of the transcript, which is replaced.
 * @param from a checkout of an earlier release, for a drill that needs one.
 * @returns whether the drill passed.
 */
export const runDrill = async (drill: Drill, path: string, from?: string): Promise<boolean> => {
  const begun = performance.now();
  const secondsSince = (moment: number) => (performance.now() - moment) / 1000;
  writeFileSync(path, '');
  const write = (line: string, isShown = true): void => {
    const safe = line.replaceAll(secrets, '[redacted]');
    const text = safe.length > longestText ? `${safe.slice(0, longestText)} …` : safe;
    appendFileSync(path, `${text}\n`);
    if (isShown) process.stdout.write(`${text}\n`);
  };
  const folder = mkdtempSync(join(tmpdir(), 'pto-drill-'));
  chmodSync(folder, 0o755); // PostgreSQL runs as another user than root
  const closers: (() => Promise<unknown> | unknown)[] = [
    () => rmSync(folder, { recursive: true, force: true }),
  ];
  const bed: Bed = {
    folder,
    from,
    note: write,
    step: async (what, work) => {
      const started = performance.now();
      write(`\n## ${what}`, false);
      const result = await work();
      write(`✓ ${what} (${secondsSince(started).toFixed(1)} s)`);
      return result;
    },
    command: (program, args, options = {}) =>
      runCommand(program, args, options, (line) => write(line, false)),
    atEnd: (close) => void closers.push(close),
  };
  let failure: Error | undefined;
  try {
    await drill.run(bed);
  } catch (error) {
    failure = error as Error;
    const { cause } = failure as { cause?: Error };
    write(`\n${failure.stack}\n${cause ? `cause: ${cause.stack}` : ''}`, false);
  }
  for (const close of closers.reverse())
    await Promise.resolve(close()).catch((error: Error) => write(`${error.stack}`));
  const took = `${Math.round(secondsSince(begun))} s`;
  write(
    failure
      ? `${drill.name}: failed after ${took}: ${failure.message.split('\n')[0]}`
      : `${drill.name}: passed in ${took}`,
  );
  return failure === undefined;
};

const runCommand = (
  program: string,
  args: readonly string[],
  { env, cwd = '/', owner, codes = [0], shown, timeoutMs = commandMaxMs }: CommandOptions,
  write: (line: string) => void,
): Promise<string> =>
  new Promise((resolve, reject) => {
    write(`$ ${shown ?? [basename(program), ...args].join(' ')}`);
    execFile(
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
  });
