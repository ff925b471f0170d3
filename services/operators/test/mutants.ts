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
];
