export interface TestStores {
  /** The superuser's URL. */
  readonly postgres: string;
  /** Null where there is none on this machine. */
  readonly redis: string | null;
  /** Null where there is none on this machine: skip what needs it, so that it is counted. */
  readonly kafka: readonly string[] | null;
}

/** The stores that global-setup brought up. */
export const stores = (): TestStores => {
  const { PTO_TEST_POSTGRES, PTO_TEST_REDIS, PTO_TEST_KAFKA } = process.env;
  if (!PTO_TEST_POSTGRES) throw new Error('no stores: run the tests through jest, from the root');
  return {
    postgres: PTO_TEST_POSTGRES,
    redis: PTO_TEST_REDIS || null,
    kafka: PTO_TEST_KAFKA ? PTO_TEST_KAFKA.split(',') : null,
  };
};
