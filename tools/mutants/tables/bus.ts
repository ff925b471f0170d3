import type { Mutant } from '../mutant.ts';

/** Safety mechanisms of the bus and its consumers. */
export const busMutants: readonly Mutant[] = [
  {
    name: 'discard-is-remembered',
    mechanism: 'A discarded event has no effect when it is delivered again',
    file: 'packages/bus/src/consume/dead-letters/discard.ts',
    original: 'if (!row.rejected && isUuid(row.event_id)) await countAsHandled(tx, source, row);',
    broken: '',
    tests: ['dead-letters/discard'],
  },
  {
    name: 'discard-of-a-copy',
    mechanism: 'An event that is parked twice can be handled though one copy is discarded',
    file: 'packages/bus/src/consume/dead-letters/discard.ts',
    original: "const copies = blocking(source, row.key).where('event_id', '=', row.event_id);",
    broken: 'const copies = blocking(source, row.key).where(({ lit }) => lit(false));',
    tests: ['dead-letters/discard'],
  },
  {
    name: 'discard-lock',
    mechanism: 'A message that is being replayed is not discarded',
    file: 'packages/bus/src/consume/dead-letters/discard.ts',
    original: 'await lockKey(tx, source, key);',
    broken: '',
    tests: ['dead-letters/discard'],
  },
  {
    name: 'inbox-outlives-records',
    mechanism: 'An inbox remembers an event for as long as Kafka can deliver it',
    file: 'packages/bus/src/inbox-age.ts',
    original: 'export const inboxDays = 16;',
    broken: 'export const inboxDays = 15;',
    tests: ['bus/test/inbox-age'],
  },
  {
    name: 'replay-lock',
    mechanism: 'A message that comes while its key is replayed waits for the end of the replay',
    file: 'packages/bus/src/consume/dead-letters/replay.ts',
    original: 'await lockKey(tx, source, key);',
    broken: '',
    tests: ['dead-letters/replay'],
  },
  {
    name: 'replay-inbox',
    mechanism: 'A replayed message whose event was handled has no second effect',
    file: 'packages/bus/src/consume/dead-letters/replay.ts',
    original: 'const fresh = await claim(tx, source.group, [message]);',
    broken: 'const fresh = [message];',
    tests: ['dead-letters/replay'],
  },
  {
    name: 'shared-attempt-bound',
    mechanism: 'A transaction handles at most 200 messages of several partitions',
    file: 'packages/bus/src/consume/shared-attempts.ts',
    original: 'max: messagesMax }',
    broken: 'max: Number.POSITIVE_INFINITY }',
    tests: ['consume/shared-attempts'],
  },
  {
    name: 'shared-attempt-failed',
    mechanism: "A message's failure parks no message of another partition",
    file: 'packages/bus/src/consume/process-batch.ts',
    original: 'if (batch.length === 1 && !isShared) return',
    broken: 'if (batch.length === 1) return',
    tests: ['consume/shared-attempts'],
  },
];
