import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

const unusedMaxMs = 7 * 24 * 3_600_000;

/** What is built of files of the checkout, and kept in `node_modules/.cache`. */
export interface Built {
  /** Folder of the result, which is complete as soon as it exists. Its name changes with the sources. */
  readonly folder: string;
  /** Builds the folder unless it exists. Of several processes that build it, the first one's stays. */
  build(make: (into: string) => Promise<unknown>): Promise<void>;
}

/** Returns the paths of all files that the patterns name, relative to the root, sorted. */
export const filesOf = (root: string, patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: root })
    .filter((path) => statSync(join(root, path)).isFile())
    .sort();

/**
 * Names the folder of what is built of the present sources. A build deletes folders that no call has
 * used for a week; other older folders stay, because processes may still run from them.
 * @param sources patterns of all files that the build reads, relative to the root.
 */
export const builtOnce = (root: string, name: string, sources: readonly string[]): Built => {
  const hash = createHash('sha256');
  for (const path of filesOf(root, sources))
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  const cacheDir = join(root, 'node_modules', '.cache', name);
  const folder = join(cacheDir, hash.digest('hex').slice(0, 16));
  return {
    folder,
    build: async (make) => {
      if (existsSync(folder)) return utimesSync(folder, new Date(), new Date());
      mkdirSync(cacheDir, { recursive: true });
      for (const other of readdirSync(cacheDir)) {
        const path = join(cacheDir, other);
        if (Date.now() - statSync(path).mtimeMs > unusedMaxMs)
          rmSync(path, { recursive: true, force: true });
      }
      const made = `${folder}.${process.pid}`;
      try {
        await make(made);
        renameSync(made, folder);
      } catch (error) {
        if (!existsSync(folder)) throw error; // another process was faster
      } finally {
        rmSync(made, { recursive: true, force: true });
      }
    },
  };
};
