import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const rotateAtBytes = 32 * 1024 * 1024;
const readMost = 64 * 1024;

export interface LogFile {
  /** Where the file's size stood before this run. */
  readonly start: number;
  /** To be handed to a child as its output; close it here once that is done. */
  readonly fd: number;
  close(): void;
  /** The text since this run began, at most its last 64 KiB. */
  sinceStart(): string;
}

/**
 * Opens a log to append to, so that the words of a run that died survive the next start.
 * One that has grown over 32 MiB is put aside first, in place of the one put aside before.
 */
export const openLog = (path: string): LogFile => {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAtBytes) renameSync(path, path.replace(/(\.log)?$/, '.previous.log'));
  const fd = openSync(path, 'a', 0o600);
  const start = fstatSync(fd).size;
  return {
    start,
    fd,
    close: () => closeSync(fd),
    sinceStart: () => {
      const reader = openSync(path, 'r');
      try {
        const end = fstatSync(reader).size;
        const from = Math.max(start, end - readMost);
        const bytes = Buffer.alloc(Math.max(0, end - from));
        return bytes.toString('utf8', 0, readSync(reader, bytes, 0, bytes.length, from));
      } finally {
        closeSync(reader);
      }
    },
  };
};
