import type { Stores } from '@pto/stores';

interface Running {
  readonly stores: Stores;
  readonly dir: string;
}

/**
 * The running stores, as global state of the process: jest loads set-up and tear-down as separate
 * modules.
 */
const shared = globalThis as { ptoTestStores?: Running };

export const keepRunning = (running: Running): void => {
  shared.ptoTestStores = running;
};

export const takeRunning = (): Running | undefined => {
  const running = shared.ptoTestStores;
  delete shared.ptoTestStores;
  return running;
};
