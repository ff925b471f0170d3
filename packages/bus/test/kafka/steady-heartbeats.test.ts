import { expect, test } from '@jest/globals';
import '../../src/kafka/kafka-connection.ts';
import ConsumerGroup from 'kafkajs/src/consumer/consumerGroup.js';

const interval = 2000;

/** A member of a group whose heartbeats are counted. */
const member = () => {
  const beats: unknown[] = [];
  const coordinator = { heartbeat: async (payload: unknown) => void beats.push(payload) };
  const group = new ConsumerGroup({
    groupId: 'test',
    topics: [],
    topicConfigurations: {},
    cluster: {},
    retry: {},
    instrumentationEmitter: { emit: () => {} },
    logger: { namespace: () => ({}) },
  });
  Object.assign(group, { memberId: 'one', coordinator });
  return { group, beats };
};

test('a member whose clock was set back by an hour sends its next heartbeat', async () => {
  const { group, beats } = member();
  group.lastRequest = Date.now() + 3_600_000;
  await group.heartbeat({ interval });
  expect(beats).toHaveLength(1);
  expect(group.lastRequest).toBeLessThanOrEqual(Date.now());
});

test('a member sends no heartbeat before the interval has passed', async () => {
  const { group, beats } = member();
  await group.heartbeat({ interval });
  expect(beats).toEqual([]);
  group.lastRequest -= interval;
  await group.heartbeat({ interval });
  expect(beats).toHaveLength(1);
});
