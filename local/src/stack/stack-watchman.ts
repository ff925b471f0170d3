import { spawn } from 'node:child_process';
import { guardLabel } from '@pto/stores';
import { stackFilePath } from './stack-file.ts';

/**
 * Waits for the end of the shell's input, which comes when this process ends for any reason, then
 * removes the file.
 */
const script = 'read -r _; rm -f "$1"';

/**
 * Starts a shell that removes mesh.json even if this process is killed, so that no client uses the
 * file of a stack that has ended. The next start waits for this shell as for any process of the
 * folder.
 * @returns a function that ends the shell, which then removes mesh.json.
 */
export const watchStackFile = (dir: string): (() => Promise<void>) => {
  const words = ['-c', script, guardLabel(dir, 'mesh.json'), stackFilePath(dir)];
  const watchman = spawn('/bin/sh', words, {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C in a terminal must not end the shell
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
