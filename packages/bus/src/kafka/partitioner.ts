import kafkajs, { type ICustomPartitioner } from 'kafkajs';
import type { PartitionedRecord } from './kafka-message.ts';

/**
 * Chooses the partition of a record by its key, as Kafka's own clients do, among as many partitions
 * as the record names.
 * @throws Error if the producer knows fewer partitions. kafkajs would drop the record.
 */
export const createPartitioner: ICustomPartitioner = () => {
  const choose = kafkajs.Partitioners.DefaultPartitioner();
  return ({ topic, partitionMetadata, message }) => {
    const { partitions = partitionMetadata.length } = message as PartitionedRecord;
    if (partitions > partitionMetadata.length)
      throw new Error(`topic ${topic} has ${partitionMetadata.length} of ${partitions} partitions`);
    return choose({ topic, message, partitionMetadata: partitionMetadata.slice(0, partitions) });
  };
};
