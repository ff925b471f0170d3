import type { MessageInitShape } from '@bufbuild/protobuf';
import { Failure } from '@pto/errors';
import type {
  ListDeadLettersRequest,
  ListDeadLettersResponseSchema,
  ReplayDeadLetterRequest,
  ReplayDeadLetterResponseSchema,
} from '@pto/proto/bus/v1/dead_letter';
import type { Consumer } from './consume.ts';

const pageMax = 100;

/** The handlers of bus.v1.DeadLetterService over all consumers of a service. */
export const deadLetterHandlers = (
  consumers: readonly Pick<Consumer, 'topic' | 'list' | 'replay'>[],
) => ({
  listDeadLetters: async (
    request: ListDeadLettersRequest,
  ): Promise<MessageInitShape<typeof ListDeadLettersResponseSchema>> => {
    const asked = consumers.filter(({ topic }) => ['', topic].includes(request.topic));
    // one more than a page from each: whether there is a further page shows in their sum
    const page = { afterId: request.afterId || undefined, limit: pageMax + 1 };
    const found = (await Promise.all(asked.map((consumer) => consumer.list(page)))).flat();
    found.sort((a, b) => (a.id < b.id ? -1 : 1));
    const deadLetters = found.slice(0, pageMax);
    return { deadLetters, nextId: found.length > pageMax ? deadLetters.at(-1)!.id : '' };
  },
  replayDeadLetter: async (
    request: ReplayDeadLetterRequest,
  ): Promise<MessageInitShape<typeof ReplayDeadLetterResponseSchema>> => {
    for (const consumer of consumers) {
      const done = await consumer.replay(request.id).catch((error) => {
        if (error instanceof Failure && error.kind === 'NOT_FOUND') return undefined;
        throw error;
      });
      if (done) {
        const { replayedIds, failedId = '', reason = '' } = done;
        return { replayedIds: [...replayedIds], failedId, reason };
      }
    }
    throw new Failure('NOT_FOUND', 'There is no such dead letter waiting.');
  },
});
