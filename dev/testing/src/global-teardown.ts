import { rmSync } from 'node:fs';
import { forgetStores } from '@pto/stores';
import { takeRunning } from './global-setup.ts';

export default async function stopTestStores(): Promise<void> {
  const running = takeRunning();
  if (!running) return;
  await running.stores.stop();
  forgetStores(running.dir);
  rmSync(running.dir, { recursive: true, force: true });
}
