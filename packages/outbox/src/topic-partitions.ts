/**
 * The number of partitions among which the keys of a topic are divided. It is stored, so that it
 * changes only while no relay sends (`repartition.ts`): a key that moves to another partition while
 * its messages wait in the old one would be read out of order.
 */
import { defineEntity, p } from '@mikro-orm/core';
import type { Bus, OutgoingMessage } from '@pto/bus';
import { type Database, execute, tablesOf } from '@pto/database';

/** Statements for a service's migration. */
export const topicPartitionsTable: readonly string[] = [
  `create table topic_partitions (
    topic text primary key,
    partitions int not null check (partitions > 0)
  )`,
];

export const TopicPartitionsEntity = defineEntity({
  name: 'TopicPartitions',
  tableName: 'topic_partitions',
  properties: { topic: p.text().primary(), partitions: p.integer() },
});

export const topicTables = tablesOf([TopicPartitionsEntity]);

const stored = (db: Database, topic: string) =>
  execute(
    db,
    topicTables.selectFrom('topic_partitions').select('partitions').where('topic', '=', topic),
  );

/** Returns the stored number, or else stores the present number of the bus. */
const readOrStore = async (
  { db, bus }: { readonly db: Database; readonly bus: Pick<Bus, 'ends'> },
  topic: string,
): Promise<number> => {
  const [known] = await stored(db, topic);
  if (known) return known.partitions;
  const { size: partitions } = await bus.ends(topic);
  const first = topicTables.insertInto('topic_partitions').values({ topic, partitions });
  await execute(
    db,
    first.onConflict((conflict) => conflict.doNothing()),
  );
  const [row] = await stored(db, topic);
  return row!.partitions;
};

/** Returns functions that add the stored number of partitions to messages. */
export const createTopicPartitions = (deps: {
  readonly db: Database;
  readonly bus: Pick<Bus, 'ends'>;
}) => {
  let numbers = new Map<string, number>();
  return {
    /** Reads the numbers again. Call this when shards were acquired: they may have changed before. */
    forget: (): void => {
      numbers = new Map();
    },
    addTo: async (messages: readonly OutgoingMessage[]): Promise<readonly OutgoingMessage[]> => {
      const known = numbers;
      for (const topic of new Set(messages.map((message) => message.topic)))
        if (!known.has(topic)) known.set(topic, await readOrStore(deps, topic));
      return messages.map((message) => ({ ...message, partitions: known.get(message.topic)! }));
    },
  };
};
