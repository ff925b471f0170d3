import type { Stores } from '@pto/stores';

interface Running {
  readonly stores: Stores;
  readonly dir: string;
}

/**
 * The running stores, as a property of `globalThis`: jest loads the set-up and the tear-down with
 * separate module instances, so they share no module variables.
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
