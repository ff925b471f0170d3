import { Failure } from '@pto/errors';
import type {
  DiscardDeadLetterRequest,
  ListDeadLettersRequest,
  ReplayDeadLetterRequest,
} from '@pto/proto/bus/v1/dead_letter';
import type { Consumer } from '../consume.ts';

const pageMax = 100;
const reasonMax = 500;

/** Returns the handlers of bus.v1.DeadLetterService for a service's consumer. */
export const deadLetterHandlers = (
  consumer: Pick<Consumer, 'topic' | 'list' | 'replay' | 'discard'>,
) => ({
  listDeadLetters: async ({ topic, afterId }: ListDeadLettersRequest) => {
    if (topic !== '' && topic !== consumer.topic) return { deadLetters: [], nextId: '' };
    // one more than a page, to find out whether a further page exists
    const found = await consumer.list({ afterId: afterId || undefined, limit: pageMax + 1 });
    const deadLetters = found.slice(0, pageMax);
    return { deadLetters, nextId: found.length > pageMax ? deadLetters.at(-1)!.id : '' };
  },
  replayDeadLetter: async ({ id }: ReplayDeadLetterRequest) => {
    const { replayedIds, failedId = '', reason = '' } = await consumer.replay(id);
    return { replayedIds: [...replayedIds], failedId, reason };
  },
  discardDeadLetter: async (
    { id, reason: given }: DiscardDeadLetterRequest,
    { caller }: { caller: { operator?: string | undefined } },
  ) => {
    const [reason, operator] = [given.trim(), caller.operator ?? ''];
    if (reason === '' || reason.length > reasonMax)
      throw new Failure('VALIDATION', `reason must have 1 to ${reasonMax} characters.`);
    if (operator === '') throw new Failure('VALIDATION', 'Only an operator discards a message.');
    return { nextId: (await consumer.discard(id, { operator, reason })) ?? '' };
  },
});
