import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'inbox-once',
    mechanism: 'An event that is delivered again has no second effect',
    file: 'packages/bus/src/consume/inbox.ts',
    original: 'return messages.filter(({ id }) => claimed.delete(id.toLowerCase()));',
    broken: 'return [...messages];',
    tests: ['an-event-has-one-effect'],
  },
  {
    name: 'key-blocked',
    mechanism: 'A message behind a parked one of its key has no effect',
    file: 'packages/bus/src/consume/process-batch.ts',
    original: 'messages.filter(({ key }) => !blocked.has(key));',
    broken: 'messages;',
    tests: ['packages/bus/test/consume/dead-letters'],
  },
  {
    name: 'position-with-effects',
    mechanism: 'A position is stored in the transaction of the effects',
    file: 'packages/bus/src/consume/process-batch.ts',
    original: 'await positions.saveWith(tx, messages);',
    broken: '',
    tests: ['packages/bus/test/kafka/positions'],
  },
  {
    name: 'position-moved-back',
    mechanism: 'No later message has an effect before those that the database has lost',
    file: 'packages/bus/src/consume/process-batch.ts',
    original: 'positions.requireKnown(tx, messages),',
    broken: 'undefined,',
    tests: ['packages/bus/test/kafka/positions'],
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
    name: 'forgotten-is-parked',
    mechanism: 'An event that the inbox may have forgotten has no effect',
    file: 'packages/bus/src/consume/process-batch.ts',
    original: 'requireRemembered(fresh);',
    broken: 'void requireRemembered;',
    tests: ['consume/forgotten-events'],
  },
  {
    name: 'kafka-acks-leader',
    mechanism: 'A message counts as sent when all in-sync replicas have it, not the leader alone',
    file: 'packages/bus/src/kafka/kafka-bus.ts',
    original: 'acks: -1',
    broken: 'acks: 1',
    tests: ['kafka/acknowledgments'],
  },
  {
    name: 'committed-offsets',
    mechanism: 'An unread committed offset does not count as one that was never committed',
    file: 'packages/bus/src/kafka/offsets/committed-offsets.ts',
    original: 'throw new Error(`no committed offsets of ${topic} were read`);',
    broken: 'return new Map();',
    tests: ['packages/bus/test/kafka/offsets/committed-offsets'],
  },
];
