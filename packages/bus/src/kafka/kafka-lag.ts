import type { Admin } from 'kafkajs';
import { retried } from './topics/kafka-topics.ts';

/**
 * Returns the number of messages between the group's offset and the end, summed over all
 * partitions.
 */
export const kafkaLag = async (admin: Admin, group: string, topic: string): Promise<number> => {
  const ends = await admin.fetchTopicOffsets(topic);
  // kafkajs does not retry this request when the group's coordinator has moved
  const [committed] = await retried(performance.now() + 3000, () =>
    admin.fetchOffsets({ groupId: group, topics: [topic] }),
  );
  const done = new Map(committed?.partitions.map((p) => [p.partition, Number(p.offset)]));
  return ends.reduce((sum, { partition, low, high }) => {
    const from = Math.max(done.get(partition) ?? -1, Number(low));
    return sum + Math.max(0, Number(high) - from);
  }, 0);
};
