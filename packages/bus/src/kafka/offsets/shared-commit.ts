import { createBatches } from '@pto/concurrency';
import type { EachBatchPayload } from 'kafkajs';

interface Commit {
  readonly payload: Pick<EachBatchPayload, 'commitOffsetsIfNecessary'>;
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

/**
 * Returns a function that commits the offset of a partition to Kafka. Concurrent calls share a
 * request. If the request fails, each of these calls rejects with its error.
 */
export const sharedCommit = (): ((commit: Commit) => Promise<void>) =>
  createBatches<Commit, void>(
    async (commits) => {
      const topics = [...Map.groupBy(commits, ({ topic }) => topic)].map(([topic, ofTopic]) => ({
        topic,
        partitions: ofTopic.map(({ partition, offset }) => ({ partition, offset })),
      }));
      await commits[0]!.payload.commitOffsetsIfNecessary({ topics });
      return () => {};
    },
    // `waitingMax` needs no limit: the caller has at most one open commit of each partition
    { inFlightMax: 1, batchMax: 64, waitingMax: Number.POSITIVE_INFINITY },
  );
