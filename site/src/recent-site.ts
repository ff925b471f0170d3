import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './root.ts';
import { sourceKey } from './source-key.ts';

const cacheDir = join(root, 'node_modules', '.cache', 'site');
const program = fileURLToPath(new URL('./main.ts', import.meta.url));
const unusedMaxMs = 7 * 24 * 3_600_000;
const buildMaxMs = 120_000;
const errorTextMax = 2000;

/** The built site of the present sources. */
export interface SiteBuild {
  /** The folder, which is complete as soon as it exists. */
  readonly folder: string;
  /**
   * Builds the folder in a process of its own, unless it exists or another process builds it.
   * @throws Error with the last lines of the build.
   */
  build(signal?: AbortSignal): Promise<void>;
}

/** Returns the site of the present sources, kept in `node_modules/.cache` by a hash of them. */
export const recentSite = (): SiteBuild => {
  const folder = join(cacheDir, sourceKey(root));
  return { folder, build: (signal) => buildOnce(folder, signal) };
};

const buildOnce = async (folder: string, signal?: AbortSignal): Promise<void> => {
  if (existsSync(folder)) return;
  mkdirSync(cacheDir, { recursive: true });
  const lock = `${folder}.lock`;
  if (!takeLock(lock)) return untilBuilt(folder, signal);
  const made = `${folder}.${process.pid}`;
  try {
    removeUnused();
    await run(made, signal);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(lock, { recursive: true, force: true });
  }
};

/** A lock is a folder; one of a build that was killed ends with the time that a build may take. */
const takeLock = (lock: string): boolean => {
  const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > buildMaxMs) rmSync(lock, { recursive: true, force: true });
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
};

const untilBuilt = async (folder: string, signal?: AbortSignal): Promise<void> => {
  const deadline = Date.now() + buildMaxMs;
  while (!existsSync(folder)) {
    signal?.throwIfAborted();
    if (Date.now() > deadline) throw new Error('another process did not finish the site in time');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
};
const pollMs = 200;

const run = (folder: string, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: buildMaxMs,
      ...(signal && { signal }),
    });
    let errors = '';
    child.stderr.on('data', (part) => {
      errors = `${errors}${part}`.slice(-errorTextMax);
    });
    child.once('error', (error) => {
      errors = error.message;
      if (child.pid === undefined) reject(error); // it never ran; otherwise `close` follows
    });
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`the site was not built: ${errors}`)),
    );
  });

const removeUnused = (): void => {
  for (const name of readdirSync(cacheDir)) {
    const path = join(cacheDir, name);
    if (Date.now() - statSync(path).mtimeMs > unusedMaxMs) rmSync(path, { recursive: true });
  }
};
