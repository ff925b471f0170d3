import type { Telemetry } from '@pto/telemetry';
import type { EachBatchPayload } from 'kafkajs';

/** The offset after the last handled message of a partition. */
interface Handled {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

type Payload = Pick<EachBatchPayload, 'commitOffsetsIfNecessary'>;

const everyMsDefault = 500;

/**
 * Returns functions that commit offsets to Kafka, those of all partitions in one request. A request
 * costs Kafka and the service as much as the effect of a message. Messages whose offset is not
 * committed yet when a process dies are handled again, without a second effect: the inbox has them.
 */
export const delayedCommit = (options: {
  group: string;
  telemetry: Telemetry;
  /** Time in ms between the first uncommitted offset and the request (500). */
  everyMs?: number;
}) => {
  const { group, telemetry, everyMs = everyMsDefault } = options;
  const uncommitted = new Map<string, Handled>();
  let payload: Payload | undefined;
  let timer: NodeJS.Timeout | undefined;

  const plan = () => {
    timer ??= setTimeout(() => {
      flush().catch((err) => {
        telemetry.log.debug({ err, group }, 'offsets could not be committed, will be retried');
      });
    }, everyMs);
  };

  /** Commits all offsets now. @throws the request's error; the offsets are committed later. */
  const flush = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const handled = [...uncommitted.entries()];
    if (!payload || handled.length === 0) return;
    const topics = [...Map.groupBy(handled, ([, { topic }]) => topic)].map(([topic, ofTopic]) => ({
      topic,
      partitions: ofTopic.map(([, { partition, offset }]) => ({ partition, offset })),
    }));
    try {
      await payload.commitOffsetsIfNecessary({ topics });
    } catch (error) {
      plan();
      throw error;
    }
    // a later offset that was added during the request stays
    for (const [name, one] of handled) if (uncommitted.get(name) === one) uncommitted.delete(name);
    if (uncommitted.size > 0) plan();
  };

  const forget = () => {
    clearTimeout(timer);
    timer = undefined;
    uncommitted.clear();
  };

  return {
    /** Adds an offset to the next request. @param by the payload whose group the request uses. */
    add: (handled: Handled, by: Payload): void => {
      uncommitted.set(`${handled.topic}/${handled.partition}`, handled);
      payload = by;
      plan();
    },
    flush,
    /** Drops all offsets. For partitions that another member of the group may have now. */
    forget,
  };
};
