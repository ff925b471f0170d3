import type { Admin } from 'kafkajs';

/**
 * Returns the committed offset of a group for each partition; -1 if the group has committed none.
 * @throws Error for a response without partitions, and what kafkajs throws; a retry can succeed.
 *   kafkajs requests the partitions of its cached metadata. A concurrent call for another topic
 *   replaces the metadata, and without the error the group would seem to have committed nothing.
 */
export const committedOffsets = async (
  admin: Pick<Admin, 'fetchOffsets'>,
  { group, topic }: { readonly group: string; readonly topic: string },
): Promise<Map<number, bigint>> => {
  const [committed] = await admin.fetchOffsets({ groupId: group, topics: [topic] });
  if (!committed?.partitions.length) throw new Error(`no committed offsets of ${topic} were read`);
  return new Map(committed.partitions.map((p) => [p.partition, BigInt(p.offset)]));
};
