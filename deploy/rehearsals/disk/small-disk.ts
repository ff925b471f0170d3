import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';

const block = Buffer.alloc(64 << 10, 1);
const smallest = 4 << 10;

/**
 * Mounts a small file system, in memory, for the files of a store.
 * @throws Error for a user who may not mount.
 */
export const mountSmallDisk = (stage: Stage, name: string, megabytes: number) => {
  const path = join(stage.folder, name);
  const filler = join(path, 'filler');
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path]);
  } catch (cause) {
    throw new Error('needs the right to mount a file system: run it as root', { cause });
  }
  stage.atEnd(() => void execFileSync('umount', ['--lazy', path]));
  chmodSync(path, 0o755);
  const freeBytes = (): number => {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize;
  };
  return {
    path,
    freeBytes,
    /** Writes until the file system has no space. */
    fill: (): void => {
      const file = openSync(filler, 'a', 0o600);
      try {
        for (let size = block.length; size >= smallest; )
          try {
            writeSync(file, block, 0, size);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            size /= 2;
          }
      } finally {
        closeSync(file);
      }
      stage.note(`  the disk ${name} is full: ${freeBytes()} bytes are free`);
    },
    free: (): void => {
      rmSync(filler, { force: true });
      stage.note(`  the disk ${name} has ${Math.round(freeBytes() / 2 ** 20)} MiB free`);
    },
  };
};

export type SmallDisk = ReturnType<typeof mountSmallDisk>;
