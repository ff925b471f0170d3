import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@pto/database';
import {
  type BusService,
  consumerGroups,
  custodyEventsTopic,
  orderEventsTopic,
  topicAccess,
} from '@pto/proto/topics';
import { stores, until } from '@pto/testing';
import type { Kafka } from 'kafkajs';
import type { Bus } from '../../../src/index.ts';
import { declareTopics, parseTopic } from '../../../src/kafka/topics/declare-topics.ts';
import {
  declareAcls,
  parseServiceUser,
  permissions,
} from '../../../src/kafka/topics/topic-acls.ts';
import { openTestBus } from '../../open-test-bus.ts';
import { administrator, type SecuredKafka, startSecuredKafka } from '../secured-kafka.ts';

const services: readonly BusService[] = ['orders', 'custody', 'webhooks'];
/** Names that differ from the services', as a site may have them. */
const userOf = (service: BusService) => `the-${service}`;
const topics = topicAccess.flatMap(({ topic }) => [topic, `${topic}.dlq`]);
const groups = [...Object.values(consumerGroups), 'another.group'];

/** Whether the table allows it. */
const allowed = (
  service: BusService,
  operation: 'READ' | 'WRITE' | 'DESCRIBE',
  resource: 'TOPIC' | 'GROUP',
  name: string,
): boolean =>
  permissions().some(
    (one) =>
      one.service === service &&
      one.operation === operation &&
      one.resource === resource &&
      one.name === name,
  );

/** Joins a group and leaves it. @throws the error that ends the consumer. */
const joinOnce = async (client: Kafka, groupId: string, topic: string): Promise<void> => {
  const consumer = client.consumer({ groupId, retry: { retries: 0 } });
  const { promise: joined, resolve, reject } = Promise.withResolvers<void>();
  consumer.on('consumer.group_join', () => resolve());
  consumer.on('consumer.crash', ({ payload }) => reject(payload.error));
  try {
    await consumer.connect();
    await consumer.subscribe({ topic });
    await consumer.run({ eachBatch: async () => {} });
    await joined;
  } finally {
    await consumer.disconnect();
  }
};

test('only orders writes order events, only custody writes custody events and checkpoints', () => {
  const writers = (topic: string) =>
    services.filter((service) => allowed(service, 'WRITE', 'TOPIC', topic));
  expect(writers(orderEventsTopic)).toEqual(['orders']);
  expect(writers(custodyEventsTopic)).toEqual(['custody']);
  expect(writers('custody.checkpoints.v1')).toEqual(['custody']);
  expect(writers(`${orderEventsTopic}.dlq`)).toEqual(['custody']);
  expect(writers(`${custodyEventsTopic}.dlq`)).toEqual(['orders', 'webhooks']);
});

test('a user is given as service=user, and an unknown service is rejected', () => {
  expect(parseServiceUser('orders=CN-orders')).toEqual({ service: 'orders', user: 'CN-orders' });
  for (const text of ['gateway=x', 'orders=', 'orders', '=x'])
    expect(() => parseServiceUser(text)).toThrow('expected service=user');
});

const where = stores().kafka ? describe : describe.skip;

where('a broker with an authorizer', () => {
  let kafka: SecuredKafka;
  const buses: Bus[] = [];
  beforeAll(async () => {
    kafka = await startSecuredKafka(services.map(userOf));
    const admin = kafka.as(administrator).admin();
    await admin.connect();
    await declareTopics(
      admin,
      topics.map((topic) => parseTopic(`${topic}=1/1d/1/1`)),
    );
    const users = services.map((service) => ({ service, user: userOf(service) }));
    // as the Job of each upgrade does: again and again
    for (let n = 0; n < 2; n++) await declareAcls(admin, users);
    await admin.disconnect();
  }, 120_000);
  afterAll(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await kafka?.stop();
  });

  test.each(services)(
    '%s can write and read what the table says, and nothing else',
    async (service) => {
      const client = kafka.as(userOf(service));
      const producer = client.producer({ idempotent: false, retry: { retries: 0 } });
      const admin = client.admin({ retry: { retries: 0 } });
      await Promise.all([producer.connect(), admin.connect()]);
      const can = async (work: () => Promise<unknown>): Promise<boolean> => {
        try {
          await work();
          return true;
        } catch (error) {
          const { type = '', message, name } = error as Error & { type?: string };
          if (/AUTHORIZATION_FAILED/.test(type) || /[Nn]ot authorized/.test(message)) return false;
          // so kafkajs reports that no broker let the user ask for the group's coordinator
          if (name === 'KafkaJSGroupCoordinatorNotFound') return false;
          throw error;
        }
      };
      /** A broker gets to know of a right some time after it was declared. */
      const seen = async (work: () => Promise<unknown>, isAllowed: boolean): Promise<boolean> => {
        if (isAllowed) await until(() => can(work), { what: 'the declared right' }).catch(() => {});
        return can(work);
      };
      for (const topic of topics) {
        const write = () => producer.send({ topic, acks: -1, messages: [{ value: 'x' }] });
        const isAllowed = allowed(service, 'WRITE', 'TOPIC', topic);
        expect([service, 'writes', topic, await seen(write, isAllowed)]).toEqual([
          ...[service, 'writes', topic],
          isAllowed,
        ]);
      }
      for (const groupId of groups) {
        const topic = allowed(service, 'READ', 'TOPIC', orderEventsTopic)
          ? orderEventsTopic
          : custodyEventsTopic;
        const isMember = allowed(service, 'READ', 'GROUP', groupId);
        const join = () => joinOnce(client, groupId, topic);
        expect([service, 'is in', groupId, await seen(join, isMember)]).toEqual([
          ...[service, 'is in', groupId],
          isMember,
        ]);
        const isDescribed = isMember || allowed(service, 'DESCRIBE', 'GROUP', groupId);
        const lag = () => admin.fetchOffsets({ groupId });
        expect([service, 'sees', groupId, await seen(lag, isDescribed)]).toEqual([
          ...[service, 'sees', groupId],
          isDescribed,
        ]);
      }
      await Promise.all([producer.disconnect(), admin.disconnect()]);
    },
    60_000,
  );

  test('the services work with these permissions: each link carries an event', async () => {
    const [orders, custody, webhooks] = (await Promise.all(
      services.map(async (service) => {
        const bus = await openTestBus(kafka.settings(userOf(service)));
        buses.push(bus);
        return bus;
      }),
    )) as [Bus, Bus, Bus];
    const links: [from: Bus, to: Bus, topic: string, group: string][] = [
      [orders, custody, orderEventsTopic, consumerGroups.ledger],
      [custody, orders, custodyEventsTopic, consumerGroups.evidence],
      [custody, webhooks, custodyEventsTopic, consumerGroups.dispatcher],
    ];
    for (const [from, to, topic, group] of links) {
      const id = uuidv7();
      const names = [topic, `${topic}.dlq`].map((name) => ({ name, partitions: 1 }));
      await Promise.all([from.ensureTopics(names.slice(0, 1)), to.ensureTopics(names)]);
      const received: string[] = [];
      await to.subscribe({
        group,
        topic,
        handle: async (batch) => {
          received.push(...batch.map((message) => message.id));
        },
      });
      const message = { key: 'k', id, type: 't', value: Buffer.from('v') };
      await from.publish([{ ...message, topic }]);
      await until(() => received.includes(id), { what: topic });
      await to.publish([{ ...message, topic: `${topic}.dlq` }]);
      expect(await to.lag(group, topic)).toBeGreaterThanOrEqual(0);
      // before it uses new partitions
      expect(await from.lag(group, topic)).toBeGreaterThanOrEqual(0);
    }
  }, 120_000);

  test('webhooks cannot read order events', async () => {
    const bus = await openTestBus(kafka.settings(userOf('webhooks')));
    buses.push(bus);
    const reading = bus.subscribe({
      group: consumerGroups.dispatcher,
      topic: orderEventsTopic,
      handle: async () => {},
    });
    await expect(reading).rejects.toThrow();
  }, 25_000); // less than a broker gets to load the group
});
