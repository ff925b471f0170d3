import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { printable } from '@pto/custody-verifier/printable';

type Stream = 'stdout' | 'stderr';

/** Standard output cannot be written: the disk is full, or the reader has closed the pipe. */
export class NotShown extends Error {
  readonly pipeClosed: boolean;

  constructor(cause: NodeJS.ErrnoException) {
    super(`The output cannot be written: ${cause.message}.`, { cause });
    this.pipeClosed = cause.code === 'EPIPE';
  }
}

/**
 * Writes lines. All output of a command line passes here: no other file of it knows `process` or
 * `console` (biome.json), so texts of others cannot control the terminal.
 * @throws NotShown
 */
export const writeLines = (stream: Stream, lines: readonly string[]): Promise<void> =>
  new Promise((resolve, reject) => {
    const text = lines.map((line) => `${printable(line)}\n`).join('');
    const target = open(stream);
    target.write(text, (error) => (error ? reject(new NotShown(error)) : resolve()));
  });

/** Writes a line for people to standard error. A line that cannot be written is dropped. */
export const note = (text: string): void => void writeLines('stderr', [text]).catch(() => {});

/**
 * Replaces the line of progress on a terminal's standard error, so that progress never mixes with
 * --json output. Does nothing if standard error is no terminal.
 */
export const progress = (text: string): void => {
  const { stderr } = process;
  if (stderr.isTTY) stderr.write(`\r${printable(text)}\u001b[K`);
};

/**
 * Asks a question on standard error and returns the answer's line, empty at the end of the input.
 * Returns null without a terminal on standard input and standard error.
 */
export const ask = async (question: string): Promise<string | null> => {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  const terminal = createInterface({ input: stdin, output: stderr });
  const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
  try {
    return await Promise.race([terminal.question(printable(question)), ended]);
  } finally {
    terminal.close();
  }
};

/** The person at the terminal has pressed Ctrl-C instead of an answer. */
export class Interrupted extends Error {}

/**
 * Asks a question as `ask` does, and does not show what is typed.
 * @throws Interrupted after Ctrl-C.
 */
export const askHidden = async (question: string): Promise<string | null> => {
  const { stdin, stderr } = process;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  // readline echoes to its output, and puts the terminal into raw mode
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: stdin, output, terminal: true });
  const ended = new Promise<string>((resolve, reject) => {
    terminal.once('SIGINT', () => reject(new Interrupted('Interrupted.')));
    terminal.once('close', () => resolve(''));
  });
  stderr.write(printable(question));
  try {
    return await Promise.race([terminal.question(''), ended]);
  } finally {
    terminal.close();
    stderr.write('\n');
  }
};

/**
 * Returns the stream with one listener of its errors. A failed write calls its callback; without a
 * listener the error would also end the process with a stack trace.
 */
const open = (stream: Stream): NodeJS.WriteStream => {
  const target = process[stream];
  if (!target.listeners('error').includes(ignore)) target.on('error', ignore);
  return target;
};

const ignore = (): void => {};
