import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'heavy-one-at-a-time',
    mechanism: 'Heavy bodies of one organization are worked on one at a time',
    file: 'services/gateway/src/http/organization-slots.ts',
    original: 'inFlightMax: 1, waitingMax: turnsMax',
    broken: 'inFlightMax, waitingMax: turnsMax',
    tests: ['limits/organization-slots'],
  },
  {
    name: 'one-request-under-way',
    mechanism: 'A connection has one request under way',
    file: 'services/gateway/src/http/server/request-order.ts',
    original: 'if (req.complete) return 0;',
    broken: '',
    tests: ['http/request-order'],
    named: 'one of each is under way',
  },
  {
    name: 'parser-after-connect',
    mechanism: 'After CONNECT no byte of a connection reaches the requests of another one',
    file: 'services/gateway/src/http/server/client-errors.ts',
    original: '    requests.isOver = true;\n',
    broken: '',
    tests: ['http/request-order'],
  },
  {
    name: 'slot-until-work-ends',
    mechanism: 'A slot is released when its handler has ended, not when the partner disconnects',
    file: 'services/gateway/src/http/exchange.ts',
    original: 'void Promise.resolve(this.work).then(release, release);',
    broken: 'release();',
    tests: ['http/exchange'],
  },
  {
    name: 'credentials-age',
    mechanism: "A step of the wall clock does not prolong a revoked key's validity",
    file: 'services/gateway/src/authentication/key-lookup.ts',
    original: 'performance.now() - seen.at < maxAgeMs',
    broken: 'Date.now() - (performance.timeOrigin + seen.at) < maxAgeMs',
    tests: ['authentication/credentials-cache'],
  },
  {
    name: 'budget-of-one-moment',
    mechanism: 'Requests of one moment spend one budget together, never more than its limit',
    file: 'services/gateway/src/limits/redis.ts',
    original: 'const isGranted = use.cost === 1 && left > 0;',
    broken: 'const isGranted = use.cost === 1;',
    tests: ['limits/shared-window'],
  },
  {
    name: 'history-of-one-state',
    mechanism: 'Entries and disclosed values are of one state',
    file: 'services/gateway/src/routes/history.ts',
    original: 'if (history.entries.length <= sequence || reads === readsMax)',
    broken: 'if (true)',
    tests: ['requests-are-translated'],
  },
  {
    name: 'connectivity-private-key',
    mechanism: 'A file of certificates for partners that has a private key is rejected',
    file: 'services/gateway/src/site/connectivity/announced-certificates.ts',
    original:
      "  if (kinds.some((kind) => /KEY/i.test(kind!)))\n    throw new Error('contains a private or public key: put only certificates into it');\n",
    broken: '',
    tests: ['gateway/test/site/announced-certificates'],
  },
  {
    name: 'status-cache',
    mechanism: 'Anonymous clients of the status page share one probe',
    file: 'services/gateway/src/site/cached.ts',
    original: 'if (!shared || now() - shared.at >= ms)',
    broken: 'if (!shared || ms > 0)',
    tests: ['gateway/test/site/cached', 'gateway/test/site/status'],
  },
];
