/** A pure core that `npm run stryker` mutates, and the tests that must notice. */
export interface Area {
  /** As `npm run stryker -- NAME` takes it. */
  readonly name: string;
  /** Globs from the root of the repository. */
  readonly mutate: readonly string[];
  /** Test files that need no stores; globs from the root of the repository. */
  readonly tests: readonly string[];
}

const verifier = 'verifiers/custody-verifier';

export const areas: readonly Area[] = [
  {
    name: 'orders-domain',
    mutate: ['services/orders/src/domain/{command-metadata,decide,transitions}.ts'],
    tests: ['services/orders/test/domain/*.test.ts'],
  },
  {
    name: 'orders-lists',
    mutate: ['services/orders/src/reading/cursor.ts'],
    tests: ['services/orders/test/reading/cursor.test.ts'],
  },
  {
    name: 'webhooks-verdicts',
    mutate: [
      'services/webhooks/src/deliverer/retry-schedule.ts',
      'services/webhooks/src/handshake/proof.ts',
      'services/webhooks/src/health/{health,health-change}.ts',
    ],
    tests: [
      'services/webhooks/test/deliverer/retry-schedule.test.ts',
      'services/webhooks/test/handshake/proof.test.ts',
      'services/webhooks/test/health/{health,health-change}.test.ts',
    ],
  },
  {
    name: 'webhooks-egress',
    // rejected-ranges.ts is a table: the test has the first and the last address of each row
    mutate: ['services/webhooks/src/egress/{address-policy,public-reason}.ts'],
    tests: ['services/webhooks/test/egress/{addresses,allowed-ranges,public-reason}.test.ts'],
  },
  {
    name: 'gateway-limits',
    mutate: ['services/gateway/src/limits/sliding-window.ts'],
    tests: ['services/gateway/test/limits/sliding-window.test.ts'],
  },
  {
    name: 'custody-chain',
    mutate: ['services/custody/src/chain/{announcement,link}.ts'],
    tests: ['services/custody/test/chain/{announcement,link}.test.ts'],
  },
  {
    name: 'custody-hashes',
    mutate: [
      `${verifier}/src/{canonical-json,content-digest,entry-hash,verify-chain}.ts`,
      `${verifier}/src/{bytes,hash}/*.ts`,
    ],
    tests: [
      `${verifier}/test/bytes/*.test.ts`,
      `${verifier}/test/verify-chain.test.ts`,
      `${verifier}/test/content-digest.test.ts`,
      `${verifier}/test/hash/*.test.ts`,
      `${verifier}/test/chain-hashes-are-recomputed.test.ts`,
    ],
  },
  {
    name: 'custody-log',
    mutate: [`${verifier}/src/{log,note}/*.ts`],
    tests: [`${verifier}/test/{log,note}/*.test.ts`],
  },
  {
    name: 'custody-proofs',
    mutate: [`${verifier}/src/{entry-form,rejection}.ts`, `${verifier}/src/{json,proof}/*.ts`],
    tests: [
      `${verifier}/test/forgeries-are-located.test.ts`,
      `${verifier}/test/{entry-form,rejection}.test.ts`,
      `${verifier}/test/{json,proof}/*.test.ts`,
    ],
  },
];
