/** Kafka as its operator reaches it: offsets, topics and partitions of a local stack. */
import { consumerGroups, custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { until } from '@pto/testing';
import kafkajs, { type Admin } from 'kafkajs';
import { type LocalStack, settled } from '../local-stack.ts';

/** Each consumer group with its service and topic. */
export const groups = [
  { service: 'custody', group: consumerGroups.ledger, topic: orderEventsTopic },
  { service: 'orders', group: consumerGroups.evidence, topic: custodyEventsTopic },
  { service: 'webhooks', group: consumerGroups.dispatcher, topic: custodyEventsTopic },
] as const;

/** Runs requests of an administrator of Kafka. */
export const asKafkaAdmin = async <T>(mesh: LocalStack, work: (admin: Admin) => Promise<T>) => {
  const { kafka: brokers } = mesh.file().stores;
  if (brokers.length === 0) throw new Error('these tests need Kafka: Java 17 and Maven');
  const kafka = new kafkajs.Kafka({
    brokers: [...brokers],
    logLevel: kafkajs.logLevel.NOTHING,
  });
  const admin = kafka.admin();
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
};

/**
 * Runs `work` while no process of the service runs: each is stopped until its groups have no member,
 * then killed and started again by the supervisor.
 */
export const whileStopped = async (
  mesh: LocalStack,
  service: string,
  work: (admin: Admin) => Promise<void>,
): Promise<void> => {
  const pids = mesh
    .file()
    .services.filter(({ name }) => name === service)
    .map(({ pid }) => pid);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  try {
    await asKafkaAdmin(mesh, async (admin) => {
      const names = groups.filter((one) => one.service === service).map(({ group }) => group);
      await until(
        async () =>
          (await admin.describeGroups(names)).groups.every(({ members }) => members.length === 0),
        { what: `no member of ${names}` },
      );
      await work(admin);
    });
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }
  await until(() => mesh.file().services.every(({ pid }) => !pids.includes(pid)), {
    what: `${service} to be started again`,
  });
  await settled(mesh);
};

/** Sets a group's offsets as kafka-consumer-groups.sh does; kafkajs's own reset commits no offset. */
export const reset = async (
  admin: Admin,
  { group: groupId, topic }: { group: string; topic: string },
  to: 'low' | 'high',
): Promise<void> => {
  const offsets = await admin.fetchTopicOffsets(topic);
  const partitions = offsets.map((one) => ({ partition: one.partition, offset: one[to] }));
  await admin.setOffsets({ groupId, topic, partitions });
};
