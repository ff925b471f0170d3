import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';

const pollMs = 200;
const chunkBytes = 64 * 1024;

/** Passes on new lines of a log file until it is stopped. */
export interface LogFollower {
  /** Reads the rest of the file and stops. */
  stop(): void;
}

/**
 * Passes on each line that a process appends to its log file. The process writes the file itself,
 * so that no line is lost when the launcher ends.
 */
export const followLog = (
  path: string,
  fromByte: number,
  onLine: (line: string) => void,
): LogFollower => {
  if (!existsSync(path)) return { stop: () => {} };
  const file = openSync(path, 'r');
  const chunk = Buffer.alloc(chunkBytes);
  const decoder = new StringDecoder('utf8');
  let position = fromByte;
  let rest = '';
  const read = () => {
    for (let bytes = -1; bytes !== 0; ) {
      bytes = readSync(file, chunk, 0, chunkBytes, position);
      position += bytes;
      const lines = (rest + decoder.write(chunk.subarray(0, bytes))).split('\n');
      rest = (lines.pop() ?? '').slice(-chunkBytes);
      for (const line of lines) onLine(line);
    }
  };
  const timer = setInterval(read, pollMs);
  return {
    stop: () => {
      clearInterval(timer);
      read();
      if (rest !== '') onLine(rest);
      closeSync(file);
    },
  };
};

/**
 * Returns the text to show at the terminal for a line of a service's log; undefined for a line that
 * is not shown. Lines of level `warn`, `error` and `fatal` are shown. A line that is not JSON was
 * written by Node: it is shown if it begins with the name of an error or warning; the lines of the
 * stack are not shown.
 */
export const worthShowing = (line: string): string | undefined => {
  if (/"level":"(trace|debug|info)"/.test(line.slice(0, 200))) return undefined;
  const entry = parsed(line);
  if (!entry) return /^\S*(Error|Warning)\b/.test(line) ? line : undefined;
  if (!['warn', 'error', 'fatal'].includes(`${entry.level}`)) return undefined;
  const cause = (entry.err as { message?: string } | undefined)?.message;
  const words = `${entry.level} ${entry.msg ?? ''}`.trimEnd();
  return cause && !words.includes(cause) ? `${words} (${cause})` : words;
};

/**
 * Returns the message of the last `fatal` line of a service's log: why the service ended. Undefined
 * if there is no such line.
 */
export const lastFatal = (output: string): string | undefined => {
  const fatal = output
    .split('\n')
    .filter((line) => line.includes('"fatal"'))
    .map(parsed)
    .findLast((entry) => entry?.level === 'fatal');
  return fatal && `${fatal.msg}`;
};

const parsed = (line: string): Record<string, unknown> | undefined => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
};
