/** Three Kafka brokers, each a controller too, which can be started again. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { custodyEventsTopic, orderEventsTopic } from '@pto/proto/topics';
import { createGuards, fetchWithMaven, freePorts, startKafka } from '@pto/stores';
import { until } from '@pto/testing';
import { asKafkaAdmin } from '../../../e2e/faults/kafka.ts';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import type { Bed } from '../drill.ts';

/** How long a broker whose log finds no space may go on, in ms. */
const endsWithinMs = 120_000;
const topics = [orderEventsTopic, custodyEventsTopic];

/** @throws Error without Java and Maven. */
export const openBrokers = async (bed: Bed) => {
  const guards = createGuards(bed.folder);
  bed.atEnd(guards.stopAll);
  const files = await fetchWithMaven(guards, bed.note);
  if (typeof files === 'string') throw new Error(`needs Kafka: ${files}`);
  const id = () => randomBytes(16).toString('base64url');
  const cluster = id();
  const ports = await freePorts(6);
  const nodes = [1, 2, 3].map((node) => ({
    ...{ node, folder: join(bed.folder, `kafka-${node}`), exited: Promise.resolve(0) },
    ...{ port: ports[node * 2 - 2]!, controller: ports[node * 2 - 1]! },
  }));
  const voters = nodes.map(({ node, controller }) => `${node}@127.0.0.1:${controller}`).join(',');
  const startOne = async (which: (typeof nodes)[number]): Promise<void> => {
    const { node, folder, port, controller } = which;
    mkdirSync(join(folder, 'kafka'), { recursive: true });
    const meta = join(folder, 'kafka/meta.properties');
    const ids = `version=1\ncluster.id=${cluster}\nnode.id=${node}\ndirectory.id=${id()}\n`;
    if (!existsSync(meta)) writeFileSync(meta, ids);
    const { exited } = await startKafka(folder, guards, files, {
      'node.id': `${node}`,
      'controller.quorum.voters': voters,
      listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
      'default.replication.factor': '3',
      'min.insync.replicas': '2',
      'offsets.topic.replication.factor': '3',
    });
    which.exited = exited;
  };
  await Promise.all(nodes.map(startOne));
  return {
    /** Environment of the local stack. */
    env: { KAFKA_BROKERS: nodes.map(({ port }) => `127.0.0.1:${port}`).join(',') },
    /** Waits until the broker of this number, 1 to 3, has ended: it has no space for its log. */
    ended: async (number: number): Promise<void> => {
      const late = sleep(endsWithinMs, undefined, { ref: false });
      const code = await Promise.race([nodes[number - 1]!.exited, late]);
      if (code === undefined) throw new Error(`broker ${number} has not ended`);
      bed.note(`  broker ${number} ended with ${code}`);
    },
    /** Starts brokers, and waits until each partition has three copies in sync. */
    start: async (stack: LocalStack, ...numbers: number[]): Promise<void> => {
      bed.note(`  start of broker ${numbers.join(' and ')}`);
      await Promise.all(numbers.map((number) => startOne(nodes[number - 1]!)));
      const inSync = () =>
        asKafkaAdmin(stack, async (admin) =>
          (await admin.fetchTopicMetadata({ topics })).topics.every(({ partitions }) =>
            partitions.every(({ isr }) => isr.length === 3),
          ),
        );
      await until(inSync, { deadlineMs: 60_000, what: 'three copies in sync' });
    },
  };
};
