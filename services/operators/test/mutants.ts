import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'operator-roles',
    mechanism: 'An operator calls what one of the roles permits and nothing else',
    file: 'services/operators/src/identity/operator.ts',
    original: 'some((role) => operator.roles.includes(role))',
    broken: 'some((role) => role.length > 0 || operator.roles.includes(role))',
    tests: ['operators/test/roles'],
  },
  {
    name: 'audit-row-per-call',
    mechanism: 'A repeated read has an audit row of its own, whatever request id the client sends',
    file: 'services/operators/src/audit/audit-log.ts',
    original: 'attempt.page?.isFurtherPage',
    broken: 'attempt.page',
    tests: ['operators/test/audit'],
  },
  {
    name: 'operator-log-append-only',
    mechanism: 'The log of operator actions is not changed or removed',
    file: 'services/operators/migrations/20261126060000_access.ts',
    original: 'before update or delete or truncate on ${table}',
    broken: 'before truncate on ${table}',
    tests: ['operators/test/audit'],
  },
  {
    name: 'redacted-requests',
    mechanism: 'The audit log, from which nothing is removed, has no personal data',
    file: 'services/operators/src/audit/audit-log.ts',
    original: 'if (proto.options?.debugRedact)',
    broken: 'if (false)',
    tests: ['operators/test/audit'],
  },
  {
    name: 'one-try-of-a-move',
    mechanism: 'A try whose move another process runs changes nothing',
    file: 'services/operators/src/moves/move-store.ts',
    original: "    .where('token', '=', token)\n",
    broken: '',
    tests: ['operators/test/moves'],
  },
  {
    name: 'gateways-know-the-move',
    mechanism: 'No organization switches before every gateway looks its cell up for each request',
    file: 'services/operators/src/moves/run-move.ts',
    original: 'gatewaysKnowMs - (await ageMs(db, begun))',
    broken: '0',
    tests: ['operators/test/moves'],
  },
  {
    name: 'equal-cells',
    mechanism: 'No organization switches whose cells have different numbers of rows',
    file: 'services/operators/src/moves/run-move.ts',
    original: 'if (to!.rows[table] !== count)',
    broken: 'if (to!.rows[table] === undefined)',
    tests: ['operators/test/moves'],
  },
];
