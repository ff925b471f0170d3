import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Bed } from '../drill.ts';

/**
 * Mounts a small file system, in memory, for the files of a store.
 * @throws Error for a user who may not mount.
 */
export const mountSmallDisk = (bed: Bed, name: string, megabytes: number) => {
  const path = join(bed.folder, name);
  const filler = join(path, 'filler');
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path]);
  } catch (cause) {
    throw new Error('needs the right to mount a file system: run it as root', { cause });
  }
  bed.atEnd(() => void execFileSync('umount', ['--lazy', path]));
  chmodSync(path, 0o755);
  return {
    /** Writes until the file system has no space. */
    fill: (): void => {
      const append = ['bs=4k', 'oflag=append', 'conv=notrunc'];
      spawnSync('dd', ['if=/dev/zero', `of=${filler}`, ...append], { stdio: 'ignore' });
    },
    free: (): void => {
      rmSync(filler, { force: true });
      bed.note(`  the disk ${name} has space again`);
    },
  };
};
