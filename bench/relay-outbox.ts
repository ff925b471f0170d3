/**
 * R9: outbox rows published to Kafka by the relay, acknowledged by all in-sync replicas and marked
 * as sent, against kafkajs that sends the same batches from memory. `node bench/relay-outbox.ts`;
 * ROWS=20000 is the backlog of a round.
 *
 * What the relay does and the other side does not: read each row, mark it in a synced commit, and
 * hold the shard's lease.
 */
import { stores, uniqueName } from '@pto/testing';
import { compare } from './measuring/ratio.ts';
import { createKafkaTopic } from './relay/kafka-topic.ts';
import { kafkajsSide } from './relay/kafkajs-side.ts';
import { relaySide } from './relay/relay-side.ts';
import { withStores } from './with-stores.ts';

const rows = Number(process.env.ROWS ?? 20_000);

await withStores(async () => {
  const brokers = stores().kafka;
  if (!brokers) throw new Error('Kafka is missing: see CONTRIBUTING.md');
  const topics = await Promise.all([
    createKafkaTopic(brokers, uniqueName('relay')),
    createKafkaTopic(brokers, uniqueName('kafkajs')),
  ]);
  const ours = await relaySide(topics[0], rows);
  const theirs = await kafkajsSide(topics[1], rows);
  try {
    await compare('R9: outbox rows to Kafka against kafkajs from memory', ours, theirs);
  } finally {
    await ours.close();
    await theirs.close();
    for (const topic of topics) await topic.close();
  }
});
