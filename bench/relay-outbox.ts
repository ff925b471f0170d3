/**
 * R9: outbox rows published to Kafka by the relay, acknowledged by all in-sync replicas and marked
 * as sent, against kafkajs that sends the same batches from memory. `node bench/relay-outbox.ts`.
 *
 * What the relay does and the other side does not: read each row, mark it in a synced commit, and
 * hold the lease.
 */
import { stores, uniqueName } from '@pto/testing';
import { compare } from './measuring/ratio.ts';
import { kafkajsSide, openKafka } from './relay/kafkajs-side.ts';
import { relaySide } from './relay/relay-side.ts';
import { withStores } from './with-stores.ts';

/** The backlog of a round. */
const rows = 20_000;

await withStores(async () => {
  const brokers = stores().kafka;
  if (!brokers) throw new Error('Kafka is missing: see CONTRIBUTING.md');
  const [ourTopic, theirTopic] = [uniqueName('relay'), uniqueName('kafkajs')];
  const kafka = await openKafka(brokers, [ourTopic, theirTopic]);
  const ours = await relaySide(kafka, ourTopic, rows);
  try {
    const theirs = kafkajsSide(kafka, theirTopic, rows);
    const what = 'R9: outbox rows to Kafka against kafkajs from memory';
    await compare(what, ours, theirs, { goal: 'at least 0.6' });
  } finally {
    await ours.close();
    await kafka.close();
  }
});
