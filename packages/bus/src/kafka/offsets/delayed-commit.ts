import type { Telemetry } from '@pto/telemetry';
import type { EachBatchPayload } from 'kafkajs';

type Payload = Pick<EachBatchPayload, 'commitOffsetsIfNecessary'>;

const everyMsDefault = 500;

/**
 * Returns functions that commit offsets to Kafka, those of all partitions in one request. A request
 * costs Kafka and the service as much as the effect of a message. Messages whose offset is not
 * committed yet when a process dies are handled again, without a second effect: the inbox has them.
 */
export const delayedCommit = (options: {
  group: string;
  topic: string;
  telemetry: Telemetry;
  /** Time in ms between the first uncommitted offset and the request (500). */
  everyMs?: number;
}) => {
  const { group, topic, telemetry, everyMs = everyMsDefault } = options;
  /** The offset after the last handled message, by partition. */
  const uncommitted = new Map<number, string>();
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
    if (!payload || uncommitted.size === 0) return;
    const partitions = [...uncommitted].map(([partition, offset]) => ({ partition, offset }));
    try {
      await payload.commitOffsetsIfNecessary({ topics: [{ topic, partitions }] });
    } catch (error) {
      plan();
      throw error;
    }
    // a later offset that was added during the request stays
    for (const { partition, offset } of partitions)
      if (uncommitted.get(partition) === offset) uncommitted.delete(partition);
    if (uncommitted.size > 0) plan();
  };

  const forget = () => {
    clearTimeout(timer);
    timer = undefined;
    uncommitted.clear();
  };

  return {
    /** Adds an offset to the next request. @param by the payload whose group the request uses. */
    add: (partition: number, offset: string, by: Payload): void => {
      uncommitted.set(partition, offset);
      payload = by;
      plan();
    },
    flush,
    /** Drops all offsets. For partitions that another member of the group may have now. */
    forget,
  };
};
