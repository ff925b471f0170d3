import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of the gateway. */
export const gatewayMutants: readonly Mutant[] = [
  {
    name: 'slot-of-closed-connection',
    mechanism: 'A client that has disconnected takes no slot of its organization',
    file: 'services/gateway/src/http/limit-concurrency.ts',
    original: 'release?.(); // a slot that was given at the moment of the close',
    broken: '',
    tests: ['concurrency-per-organization'],
  },
  {
    name: 'bytes-one-at-a-time',
    mechanism: 'Beyond its bytes an organization runs one request at a time',
    file: 'services/gateway/src/http/limit-bytes.ts',
    original: 'inFlightMax: 1,',
    broken: 'inFlightMax: 100,',
    tests: ['bytes-per-organization'],
  },
];
