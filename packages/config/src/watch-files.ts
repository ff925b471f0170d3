import { readFileSync } from 'node:fs';
import { ConfigError } from './declaration.ts';

/** Watched files: their newest valid content. */
export interface Watched<T> {
  current(): T;
  /** Calls the listener after each change. @returns a function that removes the listener. */
  onChange(listener: (content: T) => void): () => void;
}

/**
 * Reads files that are renewed while a process runs, again every `everyMs`. Files that cannot be
 * read or parsed are reported, and the previous content stays in use. The timer keeps no process
 * alive.
 * @param parse receives the files' bytes in their order; throws an Error without secrets.
 * @param options.name begins the ConfigError's text.
 * @param options.onInvalid receives the error of each reading after the first.
 * @throws ConfigError if the files are invalid at the start.
 */
export const watchFiles = <T>(
  files: readonly string[],
  parse: (contents: readonly Buffer[]) => T,
  options: { name: string; everyMs: number; onInvalid: (error: Error) => void },
): Watched<T> => {
  let bytes: readonly Buffer[] = [];
  let content: T;
  /** @returns true if the content has changed. */
  const read = (): boolean => {
    const next = files.map((file) => readFileSync(file));
    if (next.length === bytes.length && next.every((file, n) => file.equals(bytes[n]!)))
      return false;
    content = parse(next);
    bytes = next;
    return true;
  };
  try {
    read();
  } catch (error) {
    throw new ConfigError([`${options.name}: ${(error as Error).message}`]);
  }
  const listeners = new Set<(content: T) => void>();
  const look = () => {
    try {
      if (!read()) return;
    } catch (error) {
      options.onInvalid(error as Error);
      return;
    }
    for (const listener of listeners) listener(content);
  };
  setInterval(look, options.everyMs).unref();
  return {
    current: () => content,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
