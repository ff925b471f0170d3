/** Declares this system's topics and ACLs, then exits: `node packages/bus/src/topics.ts`. */
import { ConfigError, list } from '@pto/config';
import { once } from '@pto/lifecycle';
import { retentionMsMax } from './inbox-age.ts';
import { connectKafka } from './kafka/kafka-connection.ts';
import { declareTopics, notRemembered, parseTopic } from './kafka/topics/declare-topics.ts';
import { declareAcls, parseServiceUser } from './kafka/topics/topic-acls.ts';
import { kafkaSettings } from './settings.ts';

const settings = {
  ...kafkaSettings,
  topics: list('KAFKA_TOPICS', parseTopic),
  /** Entries `service=user`. If empty, no ACLs are declared. */
  aclUsers: list('KAFKA_ACL_USERS', parseServiceUser, { fallback: [] }),
};

await once('topics', settings, async (given, telemetry) => {
  if (given.kafkaBrokers.length === 0) throw new ConfigError(['KAFKA_BROKERS is required']);
  const admin = connectKafka(given, telemetry).admin();
  await admin.connect();
  try {
    const prefix = given.kafkaTopicPrefix;
    const keptLongerMs = await declareTopics(admin, given.topics, prefix);
    for (const topic of notRemembered(given.topics, keptLongerMs))
      telemetry.log.warn(
        { ...topic, retentionMsMax },
        'the retention of this topic exceeds that of inboxes: a late second delivery has a second effect',
      );
    const acls = await declareAcls(admin, given.aclUsers, prefix);
    telemetry.log.info({ topics: given.topics, keptLongerMs, acls }, 'topics and ACLs declared');
  } finally {
    await admin.disconnect();
  }
});
