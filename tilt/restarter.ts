/**
 * The first process of a pod under Tilt: starts Node with its own arguments, and again on SIGHUP. So
 * the pod and its replaced files stay. After a program has exited it waits for SIGHUP. (Node's --watch loses sight of a file that tar has replaced once.)
 */
import { type ChildProcess, spawn } from 'node:child_process';

let child: ChildProcess | undefined;
let stale = false;
let ending = false;

const start = () => {
  stale = false;
  child = spawn(process.execPath, process.argv.slice(2), { stdio: 'inherit' });
  child.on('exit', (code, signal) => {
    child = undefined;
    if (ending) process.exit(code ?? 1);
    if (stale) start();
    else process.stderr.write(`ended with ${code ?? signal}: waiting for a change\n`);
  });
};

process.on('SIGHUP', () => {
  stale = true;
  if (child) child.kill('SIGTERM');
  else start();
});
process.on('SIGTERM', () => {
  ending = true;
  if (child) child.kill('SIGTERM');
  else process.exit(0);
});
// while nothing runs
setInterval(() => {}, 2 ** 30);
start();
