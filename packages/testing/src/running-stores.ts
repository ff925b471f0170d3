import type { Stores } from '@pto/stores';

interface Running {
  readonly stores: Stores;
  readonly dir: string;
}

/** jest loads set-up and tear-down apart from each other; the process is what they share. */
const shared = globalThis as { ptoTestStores?: Running };

export const keepRunning = (running: Running): void => {
  shared.ptoTestStores = running;
};

export const takeRunning = (): Running | undefined => {
  const running = shared.ptoTestStores;
  delete shared.ptoTestStores;
  return running;
};
