import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Starts a program once without settings, as the build of an image does. */
export const fillCompileCache = (folder: string, args: readonly string[]): void => {
  const env = { NODE_COMPILE_CACHE: join(folder, 'compile-cache') };
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, env });
  if (status !== 78) throw new Error(`the program ended with ${status}: ${stdout}`);
};
