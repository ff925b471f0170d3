import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { takeLock } from './build-lock.ts';
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
  mkdirSync(cacheDir, { recursive: true });
  const lock = `${folder}.lock`;
  const deadline = Date.now() + buildMaxMs;
  while (!existsSync(folder)) {
    if (takeLock(lock)) return buildLocked(folder, lock, signal);
    if (Date.now() > deadline) throw new Error('another process did not finish the site in time');
    await new Promise((resolve) => setTimeout(resolve, pollMs));
    signal?.throwIfAborted();
  }
};

const buildLocked = async (folder: string, lock: string, signal?: AbortSignal): Promise<void> => {
  const made = `${folder}.${process.pid}`;
  try {
    if (existsSync(folder)) return; // built while the lock was requested
    removeUnused();
    await run(made, signal);
    renameSync(made, folder);
  } finally {
    rmSync(made, { recursive: true, force: true });
    rmSync(lock, { force: true });
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
