/** Three Kafka brokers, each a controller too, which can be killed and started again. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createGuards, fetchWithMaven, freePorts, startKafka } from '@pto/stores';
import type { Stage } from '../stage/rehearsal.ts';

/** How long a broker whose log finds no space may go on, in ms. */
const endsWithinMs = 120_000;

/** @throws Error without Java and Maven. */
export const openBrokers = async (stage: Stage) => {
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const files = await fetchWithMaven(guards, stage.note);
  if (typeof files === 'string') throw new Error(`needs Kafka: ${files}`);
  const id = () => randomBytes(16).toString('base64url');
  const cluster = id();
  const ports = await freePorts(6);
  const nodes = [1, 2, 3].map((node) => ({
    node,
    folder: join(stage.folder, `kafka-${node}`),
    port: ports[node * 2 - 2]!,
    controller: ports[node * 2 - 1]!,
    pid: 0,
    exited: Promise.resolve(0),
  }));
  const voters = nodes.map(({ node, controller }) => `${node}@127.0.0.1:${controller}`).join(',');
  const start = async (which: (typeof nodes)[number]): Promise<void> => {
    const { node, folder, port, controller } = which;
    const data = join(folder, 'kafka');
    mkdirSync(data, { recursive: true });
    const meta = join(data, 'meta.properties');
    if (!existsSync(meta))
      writeFileSync(
        meta,
        `version=1\ncluster.id=${cluster}\nnode.id=${node}\ndirectory.id=${id()}\n`,
      );
    const { pid, exited } = await startKafka(folder, guards, files, {
      'node.id': `${node}`,
      'controller.quorum.voters': voters,
      listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controller}`,
      'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
      'default.replication.factor': '3',
      'min.insync.replicas': '2',
      'offsets.topic.replication.factor': '3',
      'log.retention.check.interval.ms': '1000',
      'log.initial.task.delay.ms': '1000',
    });
    which.pid = pid;
    which.exited = exited;
  };
  await Promise.all(nodes.map(start));
  return {
    addresses: nodes.map(({ port }) => `127.0.0.1:${port}`),
    /** Ends the broker of this number, 1 to 3, as a failing machine does. */
    kill: (number: number): void => {
      stage.note(`  kill -KILL of broker ${number}`);
      process.kill(nodes[number - 1]!.pid, 'SIGKILL');
    },
    /** Waits until the broker of this number has ended, as it does without space for its log. */
    ended: async (number: number): Promise<void> => {
      const late = sleep(endsWithinMs, undefined, { ref: false });
      const code = await Promise.race([nodes[number - 1]!.exited, late]);
      if (code === undefined)
        throw new Error(`broker ${number} has not ended within ${endsWithinMs / 1000} s`);
      stage.note(`  broker ${number} ended with ${code}`);
    },
    start: async (...numbers: number[]): Promise<void> => {
      stage.note(`  start of broker ${numbers.join(' and ')}`);
      await Promise.all(numbers.map((number) => start(nodes[number - 1]!)));
    },
  };
};
