/** A pure core that `npm run stryker` mutates, and the tests that must notice. */
export interface Area {
  /** As `npm run stryker -- NAME` takes it. */
  readonly name: string;
  /** Globs from the root of the repository. */
  readonly mutate: readonly string[];
  /** Test files that need no stores; globs from the root of the repository. */
  readonly tests: readonly string[];
  /**
   * Mutants that no test can kill, because the code behaves the same with them: the file and the
   * reason, and how many there are. They are not counted as survivors.
   */
  readonly equivalents?: Readonly<Record<string, number>>;
}

const verifier = 'verifiers/custody-verifier';

export const areas: readonly Area[] = [
  {
    name: 'orders-domain',
    mutate: ['services/orders/src/domain/{decide,handover,order}.ts'],
    tests: ['services/orders/test/domain/*.test.ts'],
    equivalents: {
      'decide.ts: null is not greater than a text': 1,
      'decide.ts: equal times are the same text': 1,
      'decide.ts: no text is less than null': 1,
      'decide.ts: a command that keeps the status ends no stage': 2,
      'handover.ts: no stage has no required methods': 1,
      'handover.ts: a method of that name is not required': 1,
    },
  },
  {
    name: 'orders-lists',
    mutate: ['services/orders/src/reading/cursor.ts'],
    tests: ['services/orders/test/reading/cursor.test.ts'],
    equivalents: {
      'cursor.ts: a body that this service has signed has both parts': 2,
      'cursor.ts: this service signs no body without a position': 1,
    },
  },
  {
    name: 'webhooks-verdicts',
    mutate: [
      'services/webhooks/src/deliverer/retry-schedule.ts',
      'services/webhooks/src/handshake/proof.ts',
      'services/webhooks/src/health/health.ts',
    ],
    tests: [
      'services/webhooks/test/deliverer/retry-schedule.test.ts',
      'services/webhooks/test/handshake/proof.test.ts',
      'services/webhooks/test/health/{health,health-change}.test.ts',
    ],
    equivalents: {
      'proof.ts: a function that ends without a return returns undefined': 1,
    },
  },
  {
    name: 'webhooks-egress',
    // rejected-ranges.ts is a table: the test has the first and the last address of each row
    mutate: ['services/webhooks/src/egress/{address-policy,public-reason}.ts'],
    tests: ['services/webhooks/test/egress/{addresses,allowed-ranges,public-reason}.test.ts'],
    equivalents: {
      'address-policy.ts: neither text is an address': 1,
    },
  },
  {
    name: 'gateway-limits',
    mutate: ['services/gateway/src/admission/sliding-window.ts'],
    tests: ['services/gateway/test/admission/sliding-window.test.ts'],
    equivalents: {
      'sliding-window.ts: a text is no time in the window and is removed two lines later': 1,
      'sliding-window.ts: below the limit the index is negative, and until(undefined) is 0': 1,
    },
  },
  {
    name: 'custody-chain',
    mutate: ['services/custody/src/chain/entry.ts'],
    tests: ['services/custody/test/chain/{announcement,link}.test.ts'],
    equivalents: {
      'entry.ts: JSON.parse(null) is null': 1,
      'entry.ts: without an encoding Buffer writes UTF-8, and hexadecimal digits have the same bytes in it': 1,
    },
  },
  {
    name: 'custody-hashes',
    mutate: [`${verifier}/src/{bytes,entry-hash,verify-chain}.ts`, `${verifier}/src/hash/*.ts`],
    tests: [
      `${verifier}/test/{bytes,content-digest,verify-chain}.test.ts`,
      `${verifier}/test/hash/*.test.ts`,
      `${verifier}/test/chain-hashes-are-recomputed.test.ts`,
    ],
    equivalents: {
      'bytes.ts: a write beyond the end of a typed array has no effect': 1,
      'sha256.ts: a write beyond the end of a typed array has no effect': 1,
      'sha256-node.ts: a write beyond the end of a typed array has no effect': 1,
      'sha256.ts: typed arrays store the low 32 bits, which the whole part does not reach': 1,
    },
  },
  {
    name: 'custody-log',
    mutate: [`${verifier}/src/{log,note}/*.ts`],
    tests: [`${verifier}/test/{log,note}/*.test.ts`],
    equivalents: {
      'verify-paths.ts: an empty path does not reach the last node, and the loop ends with the same sentence': 1,
      'verify-paths.ts: an even node here equals last, and last is not 0': 1,
      'verify-paths.ts: in inclusion, an even node here equals last, and last is not 0': 1,
      'checkpoint.ts: without a size there are no extensions, and the third condition rejects': 1,
      'signed-note.ts: the first element is not used': 1,
      'vkey.ts: the first element is not used': 1,
      'vkey.ts: the form has both or neither': 3,
    },
  },
  {
    name: 'custody-proofs',
    mutate: [`${verifier}/src/{entry-form,read-json,rejection}.ts`, `${verifier}/src/proof/*.ts`],
    tests: [
      `${verifier}/test/forgeries-are-located.test.ts`,
      `${verifier}/test/{entry-form,read-json,rejection}.test.ts`,
      `${verifier}/test/proof/*.test.ts`,
    ],
    equivalents: {
      'entry-form.ts: the days before the 29th exist in every month, found out in a slower way': 2,
      'read-json.ts: all names are present and the number of members differs, so one is unknown': 1,
      'read-json.ts: the character beyond the end is undefined, which equals and exceeds nothing': 1,
      'read-json.ts: equal texts have equal digits, found out in a slower way': 1,
      'signed-checkpoint.ts: null compared with a text is false': 1,
      "verify-proof.ts: the only comparison is with 'events'": 1,
      'signed-checkpoint.ts: of these keys only the first one’s vkey is read, which a text does not have': 1,
    },
  },
];
