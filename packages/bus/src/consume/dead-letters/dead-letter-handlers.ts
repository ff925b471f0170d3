import type { MessageInitShape } from '@bufbuild/protobuf';
import { Failure } from '@pto/errors';
import type {
  DiscardDeadLetterRequest,
  DiscardDeadLetterResponseSchema,
  ListDeadLettersRequest,
  ListDeadLettersResponseSchema,
  ReplayDeadLetterRequest,
  ReplayDeadLetterResponseSchema,
} from '@pto/proto/bus/v1/dead_letter';
import type { Consumer } from '../consume.ts';

const pageMax = 100;
const reasonMax = 500;

/** Returns the handlers of bus.v1.DeadLetterService for all consumers of a service. */
export const deadLetterHandlers = (
  consumers: readonly Pick<Consumer, 'topic' | 'list' | 'replay' | 'discard'>[],
) => ({
  listDeadLetters: async (
    request: ListDeadLettersRequest,
  ): Promise<MessageInitShape<typeof ListDeadLettersResponseSchema>> => {
    const matching = consumers.filter(({ topic }) => ['', topic].includes(request.topic));
    // read one more than a page from each consumer, to find out whether a further page exists
    const page = { afterId: request.afterId || undefined, limit: pageMax + 1 };
    const found = (await Promise.all(matching.map((consumer) => consumer.list(page)))).flat();
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    const deadLetters = found.slice(0, pageMax);
    return { deadLetters, nextId: found.length > pageMax ? deadLetters.at(-1)!.id : '' };
  },
  replayDeadLetter: async (
    request: ReplayDeadLetterRequest,
  ): Promise<MessageInitShape<typeof ReplayDeadLetterResponseSchema>> => {
    const done = await ofItsConsumer(consumers, (consumer) => consumer.replay(request.id));
    const { replayedIds, failedId = '', reason = '' } = done;
    return { replayedIds: [...replayedIds], failedId, reason };
  },
  discardDeadLetter: async (
    { id, reason: given }: DiscardDeadLetterRequest,
    { caller }: { caller: { operator?: string | undefined } },
  ): Promise<MessageInitShape<typeof DiscardDeadLetterResponseSchema>> => {
    const [reason, operator] = [given.trim(), caller.operator ?? ''];
    if (reason === '' || reason.length > reasonMax)
      throw new Failure('VALIDATION', `reason must have 1 to ${reasonMax} characters.`);
    if (operator === '') throw new Failure('VALIDATION', 'Only an operator discards a message.');
    const done = await ofItsConsumer(consumers, async (consumer) => ({
      nextId: await consumer.discard(id, { operator, reason }),
    }));
    return { nextId: done.nextId ?? '' };
  },
});

/**
 * Calls the consumers one after the other until one has the dead letter.
 * @throws Failure NOT_FOUND if no consumer has a waiting dead letter with the id.
 */
const ofItsConsumer = async <C, T>(
  consumers: readonly C[],
  work: (consumer: C) => Promise<T>,
): Promise<T> => {
  for (const consumer of consumers) {
    try {
      return await work(consumer);
    } catch (error) {
      if (!(error instanceof Failure && error.kind === 'NOT_FOUND')) throw error;
    }
  }
  throw new Failure('NOT_FOUND', 'There is no such dead letter waiting.');
};
