import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buildPrograms, type Programs } from './build-programs.ts';

const unusedMaxMs = 7 * 24 * 3_600_000;
const inputsFile = 'inputs.json';

/** Size in bytes and modification time of each file in a bundle, by path relative to the root. */
type Inputs = Readonly<Record<string, readonly [size: number, mtimeMs: number]>>;

/**
 * Returns the folder with the programs, bundled from the current sources. If a source file or the
 * lock file has changed since the last bundle, bundles into a new folder and deletes the folders
 * that no call has returned for a week. Other older folders stay, because processes may still run
 * from them. Several processes may call this at the same time.
 */
export const recentBundle = async (
  root: string,
  programs: Programs,
  cacheDir: string,
): Promise<string> => {
  mkdirSync(cacheDir, { recursive: true });
  const kept = readdirSync(cacheDir).filter((name) => name.startsWith(keyOf(programs)));
  const recent = kept.map((name) => join(cacheDir, name)).find((dir) => isRecent(root, dir));
  if (recent !== undefined) {
    const now = new Date();
    utimesSync(recent, now, now);
    return recent;
  }
  removeUnused(cacheDir);
  // created at its final path, not moved there: the bundle contains paths relative to its folder
  const dir = mkdtempSync(join(cacheDir, keyOf(programs)));
  const bundle = await buildPrograms(root, programs, dir);
  const inputs = [...bundle.inputs, 'package-lock.json'].map((file) => [
    file,
    stamp(join(root, file)),
  ]);
  const text = JSON.stringify(Object.fromEntries(inputs));
  writeFileSync(join(dir, `${inputsFile}.new`), text);
  renameSync(join(dir, `${inputsFile}.new`), join(dir, inputsFile));
  return dir;
};

const keyOf = (programs: Programs): string =>
  `${createHash('sha256').update(JSON.stringify(programs)).digest('hex').slice(0, 8)}-`;

const stamp = (path: string): [number, number] => {
  const { size, mtimeMs } = statSync(path);
  return [size, mtimeMs];
};

/**
 * Whether the bundle matches the sources. Also false while another process is writing the folder.
 */
const isRecent = (root: string, dir: string): boolean => {
  try {
    const inputs: Inputs = JSON.parse(readFileSync(join(dir, inputsFile), 'utf8'));
    return Object.entries(inputs).every(([file, [size, mtimeMs]]) => {
      const now = stamp(join(root, file));
      return now[0] === size && now[1] === mtimeMs;
    });
  } catch {
    return false;
  }
};

const removeUnused = (cacheDir: string): void => {
  for (const name of readdirSync(cacheDir)) {
    const dir = join(cacheDir, name);
    if (Date.now() - statSync(dir).mtimeMs > unusedMaxMs)
      rmSync(dir, { recursive: true, force: true });
  }
};
