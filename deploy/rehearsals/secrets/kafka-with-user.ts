import { randomBytes } from 'node:crypto';
import { createGuards, fetchWithMaven, freePorts, startKafka } from '@pto/stores';
import type { Stage } from '../stage/rehearsal.ts';

const module = 'org.apache.kafka.common.security.plain.PlainLoginModule';

/** Starts a broker that admits two users: the services' of the start, and their next one. */
export const openKafka = async (stage: Stage) => {
  const guards = createGuards(stage.folder);
  stage.atEnd(guards.stopAll);
  const files = await fetchWithMaven(guards, stage.note);
  if (typeof files === 'string') throw new Error(`needs Kafka: ${files}`);
  const [port = 0, admin = 0, controller = 0] = await freePorts(3);
  const [old, next] = ['partner-api', 'partner-api-2'].map((user) => ({
    KAFKA_USERNAME: user,
    KAFKA_PASSWORD: randomBytes(18).toString('base64url'),
  })) as [KafkaUser, KafkaUser];
  const users = [old, next].map((one) => `user_${one.KAFKA_USERNAME}="${one.KAFKA_PASSWORD}"`);
  const addresses = `USERS://127.0.0.1:${port},ADMIN://127.0.0.1:${admin}`;
  await startKafka(stage.folder, guards, files, {
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    listeners: `${addresses},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': addresses,
    'listener.security.protocol.map': 'USERS:SASL_PLAINTEXT,ADMIN:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'ADMIN',
    'sasl.enabled.mechanisms': 'PLAIN',
    'listener.name.users.plain.sasl.jaas.config': `${module} required ${users.join(' ')};`,
  });
  const env = { KAFKA_BROKERS: `127.0.0.1:${port}`, KAFKA_SASL_MECHANISM: 'plain', ...old };
  return {
    /** Environment of the local stack. */
    env,
    /** Settings of the next user. */
    next,
  };
};

type KafkaUser = Readonly<Record<'KAFKA_USERNAME' | 'KAFKA_PASSWORD', string>>;
