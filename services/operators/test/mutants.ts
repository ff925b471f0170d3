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
  {
    name: 'serving-target-keeps-the-hold',
    mechanism: 'The source of a move whose target serves is not released: one cell takes changes',
    file: 'services/operators/src/moves/mover.ts',
    original: 'await rejectServingTarget(ends, move, signal);',
    broken: '',
    tests: ['operators/test/moves/moves'],
  },
  {
    name: 'serving-target-is-not-held',
    mechanism: 'A try holds and writes nothing in a target that serves',
    file: 'services/operators/src/moves/run-move.ts',
    original: 'await requireCopy(ends, move);',
    broken: '',
    tests: ['operators/test/moves/moves'],
  },
  {
    name: 'ends-of-holds-beside-copies',
    mechanism: 'The end of a hold does not wait for the copy of another organization',
    file: 'services/operators/src/moves/mover.ts',
    original: "['HOLDING', 'SWITCHED'],\n  ['COPYING', ",
    broken: "['HOLDING', 'SWITCHED', 'COPYING', ",
    tests: ['operators/test/moves/releases'],
  },
  {
    name: 'releases-end-soon',
    mechanism: 'A release without a response is sent again while partners wait',
    file: 'services/operators/src/moves/release-and-retire.ts',
    original: 'deadline: performance.now() + releaseMs, signal });\n  for',
    broken: 'signal });\n  for',
    tests: ['operators/test/moves/releases'],
  },
  {
    name: 'late-steps-of-a-move',
    mechanism: 'A step that comes after the end of its try extends no lease',
    file: 'services/operators/src/moves/move-store.ts',
    original: ".where('leased_until', '>', fragment<string>`'-infinity'`)\n",
    broken: '\n',
    tests: ['operators/test/moves/move-store'],
  },
  {
    name: 'deliveries-held-in-copying',
    mechanism: 'The pause of deliveries ends beside the copy of another organization',
    file: 'services/operators/src/moves/run-move.ts',
    original: `  await storeStepUnlessCanceled(db, begun, { phase: 'HOLDING', waits_for: null });
  await waits(ends.source, 'webhooks', Level.WORK, performance.now() + deliveriesMaxMs);
  requireFits(await copy(ends));
  await storeStepUnlessCanceled(db, begun, { waits_for: null });`,
    broken: `  await waits(ends.source, 'webhooks', Level.WORK, performance.now() + deliveriesMaxMs);
  requireFits(await copy(ends));
  await storeStepUnlessCanceled(db, begun, { phase: 'HOLDING', waits_for: null });`,
    tests: ['operators/test/moves/releases'],
  },
  {
    name: 'gateway-reads-no-addresses',
    mechanism: 'The role of the gateway reads no mail address of an administrator',
    file: 'services/operators/migrations/20261129180000_gateway_rights.ts',
    original: 'revoke select on organizations from',
    broken: 'grant select on organizations to',
    tests: ['operators/test/audit.test'],
  },
];
