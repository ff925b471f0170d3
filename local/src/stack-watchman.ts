import { spawn } from 'node:child_process';
import { guardLabel } from '@pto/stores';
import { stackFilePath } from './stack-file.ts';

/** Waits for the end of its input, which is the end of this process, however that comes. */
const script = 'read -r _; rm -f "$1"';

/**
 * Sees to it that mesh.json is removed even when this process is killed: nobody may take it for a
 * promise then. The next start waits for a watchman still at work, as for any guard of the folder.
 * @returns ends it, and removes mesh.json
 */
export const watchStackFile = (dir: string): (() => Promise<void>) => {
  const words = ['-c', script, guardLabel(dir, 'mesh.json'), stackFilePath(dir)];
  const watchman = spawn('/bin/sh', words, {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C in a terminal is not for it
  });
  const gone = new Promise<void>((resolve) => {
    watchman.once('error', () => resolve()).once('exit', () => resolve());
  });
  watchman.stdin.on('error', () => {});
  return () => {
    watchman.stdin.end();
    return gone;
  };
};
