/** The process that declares this system's topics, and ends: `node packages/bus/src/topics.ts`. */
import { ConfigError, list } from '@pto/config';
import { once } from '@pto/lifecycle';
import { declareTopics } from './kafka/declare-topics.ts';
import { parseTopic } from './kafka/declared-topic.ts';
import { connectKafka } from './kafka/kafka-connection.ts';
import { kafkaSettings } from './settings.ts';

const settings = { ...kafkaSettings, topics: list('KAFKA_TOPICS', parseTopic) };

await once('topics', settings, async (given, telemetry) => {
  if (given.kafkaBrokers.length === 0) throw new ConfigError(['KAFKA_BROKERS is required']);
  const admin = connectKafka(given, telemetry).admin();
  await admin.connect();
  try {
    const keptLongerMs = await declareTopics(admin, given.topics);
    telemetry.log.info({ topics: given.topics, keptLongerMs }, 'declared');
  } finally {
    await admin.disconnect();
  }
});
