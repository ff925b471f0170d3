import type { Telemetry } from '@pto/telemetry';
import type { EachBatchPayload } from 'kafkajs';

type Payload = Pick<EachBatchPayload, 'commitOffsetsIfNecessary' | 'uncommittedOffsets'>;

const everyMsDefault = 500;

/**
 * Returns functions that commit resolved offsets to Kafka, those of all partitions in one request. A
 * request costs Kafka and the service as much as the effect of a message. Messages whose offset is not
 * committed yet when a process dies are handled again, without a second effect: the inbox has them.
 */
export const delayedCommit = (options: {
  group: string;
  telemetry: Telemetry;
  /** Time in ms between the first uncommitted offset and the request (500). */
  everyMs?: number;
}) => {
  const { group, telemetry, everyMs = everyMsDefault } = options;
  let payload: Payload | undefined;
  let timer: NodeJS.Timeout | undefined;

  /** Plans a request for what is resolved then. @param by the payload whose group the request uses. */
  const plan = (by: Payload): void => {
    payload = by;
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
    if (!payload) return;
    try {
      await payload.commitOffsetsIfNecessary(payload.uncommittedOffsets());
    } catch (error) {
      if (payload) plan(payload);
      throw error;
    }
  };

  return {
    plan,
    flush,
    /** Commits nothing more of a group that this member has left, or joined again. */
    forget: (): void => {
      clearTimeout(timer);
      timer = undefined;
      payload = undefined;
    },
  };
};
