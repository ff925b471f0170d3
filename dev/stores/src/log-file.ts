import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';

const rotateAtBytes = 32 * 1024 * 1024;
const readMost = 64 * 1024;

interface LogFile {
  /** Size of the file in bytes when this run began. */
  readonly start: number;
  /** File descriptor for a child's output. Close it in this process after the child was started. */
  readonly fd: number;
  close(): void;
  /** Returns the text since this run began, at most its last 64 KiB. */
  sinceStart(): string;
}

/**
 * Opens a log for appending, so that the output of a run that died survives the next start. A log
 * of more than 32 MiB is first renamed to `….previous.log`, which replaces an older file of that
 * name.
 */
export const openLog = (path: string): LogFile => {
  makePrivateFolder(dirname(path));
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

/**
 * Makes a folder that only this user may enter (mode 0700), also where it exists with other rights:
 * logs, mails and messages contain what partners have sent.
 */
export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  chmodSync(path, 0o700);
};
