import { join } from 'node:path';
import { freePorts } from '@pto/stores';

export interface TestStores {
  /** URL of the superuser. */
  readonly postgres: string;
  /** Null if there is no Redis on this machine. */
  readonly redis: string | null;
  /**
   * Null if there is no Kafka on this machine. Skip the tests that need Kafka, so that jest counts
   * them as skipped.
   */
  readonly kafka: readonly string[] | null;
}

/**
 * Returns the addresses of the stores that global-setup started or was given.
 * @throws Error outside of jest.
 */
export const stores = (): TestStores => {
  const { PTO_TEST_POSTGRES, PTO_TEST_REDIS, PTO_TEST_KAFKA } = process.env;
  if (!PTO_TEST_POSTGRES) throw new Error('no stores: run the tests through jest, from the root');
  return {
    postgres: PTO_TEST_POSTGRES,
    redis: PTO_TEST_REDIS || null,
    kafka: PTO_TEST_KAFKA ? PTO_TEST_KAFKA.split(',') : null,
  };
};

/** Returns a loopback port that is free now. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;

/** Folder of the local stack that test files of a run may share; it exists once one has begun it. */
export const sharedStackFolder = (): string => join(process.env.PTO_TEST_DIR ?? '', 'stack');
