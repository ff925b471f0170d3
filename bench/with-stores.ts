import startStores from '@pto/testing/start';
import stopStores from '@pto/testing/stop';

/** Runs a measurement beside stores of its own, and ends them whatever becomes of it. */
export const withStores = async (work: () => Promise<void>): Promise<void> => {
  await startStores();
  try {
    await work();
  } finally {
    await stopStores();
  }
};
