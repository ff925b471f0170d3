import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalStack } from '../../../e2e/local-stack.ts';

/** Returns the text of the log with this name, without `.log`. */
export type Logs = (name: string) => string;

const folderOf = (stack: LocalStack): string => join(stack.dir, 'logs');

/** Returns the text of a file from a byte on; the complete text if the file has become shorter. */
const readFrom = (path: string, byte: number): string => {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const from = byte <= size ? byte : 0; // a process that starts replaces a log of more than 32 MiB
    const bytes = Buffer.alloc(size - from);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from));
  } finally {
    closeSync(file);
  }
};

/** Returns the complete logs of the processes and stores of a stack. */
export const completeLogs =
  (stack: LocalStack): Logs =>
  (name) =>
    readFrom(join(folderOf(stack), `${name}.log`), 0);

/** Returns the logs without what they contain at this moment, so that an earlier line is no proof. */
export const logsFromNow = (stack: LocalStack): Logs => {
  const folder = folderOf(stack);
  const sizes = new Map(
    readdirSync(folder).map((file) => [file, statSync(join(folder, file)).size]),
  );
  return (name) => readFrom(join(folder, `${name}.log`), sizes.get(`${name}.log`) ?? 0);
};
