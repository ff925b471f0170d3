import { sqlMigration } from '@pto/database';
import { topicPartitionsTable } from '@pto/outbox';

/** The numbers of partitions among which the keys of topics are divided. */
export const topicPartitions = sqlMigration(
  '20261128120000_topic_partitions',
  topicPartitionsTable,
);
