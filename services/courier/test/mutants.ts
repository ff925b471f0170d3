import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'courier-lease',
    mechanism: 'While a process takes a step of a run, no other process takes it',
    file: 'services/courier/src/runs/store.ts',
    original: 'due_at: inMs(leaseMs),',
    broken: 'due_at: clockTimestamp,',
    tests: ['courier/test/runs'],
  },
  {
    name: 'courier-outcome',
    mechanism: 'A process whose lease has ended records nothing',
    file: 'services/courier/src/runs/store.ts',
    original:
      ".whereRef('runs.order_id', '=', 'r.order_id')\n      .whereRef('runs.lease', '=', 'r.lease'),",
    broken: ".whereRef('runs.order_id', '=', 'r.order_id'),",
    tests: ['courier/test/leases'],
  },
  {
    name: 'courier-turns',
    mechanism: 'Organizations take turns: the runs of one do not delay the run of another',
    file: 'services/courier/src/runs/store.ts',
    original: ".orderBy('ranked.place')\n  .orderBy('runs.due_at')",
    broken: ".orderBy('runs.due_at')",
    tests: ['courier/test/turns'],
  },
  {
    name: 'courier-draft',
    mechanism: 'The run of an order that stays a DRAFT ends',
    file: 'services/courier/src/runs/work.ts',
    original: 'if (waitedMs >= draft.waitMaxMs)',
    broken: 'if (false)',
    tests: ['courier/test/scenarios'],
    named: 'for 7 days, and then its run ends',
  },
  {
    name: 'courier-replaced-lease',
    mechanism: 'A run that is replaced leaves no lease to the process that takes its step',
    file: 'services/courier/src/runs/store.ts',
    original: '      position: 0,\n      lease: null,',
    broken: '      position: 0,',
    tests: ['courier/test/leases'],
  },
  {
    name: 'courier-organization',
    mechanism: 'The courier moves no order of another organization',
    file: 'services/courier/src/moves/orders.ts',
    original: 'if (order.organizationId === organizationId) return order;',
    broken: 'if (order.organizationId || organizationId) return order;',
    tests: ['courier/test/advance'],
  },
  {
    name: 'no-courier-in-production',
    mechanism: 'The courier does not start in production',
    file: 'services/courier/src/config.ts',
    original: "oneOf('ENVIRONMENT', ['sandbox'])",
    broken: "oneOf('ENVIRONMENT', ['sandbox', 'production'])",
    tests: ['courier/test/advance'],
  },
];
