import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forgetStores, isAlive } from '@pto/stores';
import { takeRunning } from './global-setup.ts';
import { sharedStackFolder } from './stores.ts';
import { until } from './until.ts';

const stopMaxMs = 30_000;

export default async function stopTestStores(): Promise<void> {
  const running = takeRunning();
  if (!running) return;
  await stopSharedStack();
  await running.stores.stop();
  forgetStores(running.dir);
  rmSync(running.dir, { recursive: true, force: true });
}

/** Stops the local stack that test files of this run have shared, if one of them has started it. */
const stopSharedStack = async (): Promise<void> => {
  const pidFile = join(sharedStackFolder(), 'launcher.pid');
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, 'utf8'));
  if (!isAlive(pid)) return;
  process.kill(pid, 'SIGINT');
  const what = 'the end of the shared local stack';
  await until(() => !isAlive(pid), { deadlineMs: stopMaxMs, what }).catch(() =>
    process.kill(pid, 'SIGKILL'),
  );
};
