import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@pto/config';
import { createGuards, fetchWithMaven, startKafka } from '@pto/stores';
import { createTelemetry } from '@pto/telemetry';
import type { Kafka } from 'kafkajs';
import { type BusSettings, busSettings } from '../../src/index.ts';
import { connectKafka } from '../../src/kafka/kafka-connection.ts';

export interface SecuredKafka {
  readonly broker: string;
  /** A connection that logs in as this user. */
  as(user: string): Kafka;
  settings(user: string): BusSettings;
  stop(): Promise<void>;
}

/** The administrator: it may do everything, as the Job's user may that declares ACLs. */
export const administrator = 'admin';

const passwordOf = (user: string): string => `password-of-${user}`;

/** A real broker where each user logs in by SASL, and an authorizer asks for ACLs. */
export const startSecuredKafka = async (users: readonly string[]): Promise<SecuredKafka> => {
  const dir = mkdtempSync(join(tmpdir(), 'pto-secured-kafka-'));
  const guards = createGuards(dir);
  const files = await fetchWithMaven(guards, () => {});
  if (typeof files === 'string') throw new Error(files);
  const logins = [administrator, ...users].map((user) => `user_${user}="${passwordOf(user)}"`);
  const { broker } = await startKafka(dir, guards, files, {
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    // the controller's own listener has no login; clients cannot come without one
    'super.users': `User:${administrator};User:ANONYMOUS`,
    'allow.everyone.if.no.acl.found': 'false',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:SASL_PLAINTEXT',
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'listener.name.plaintext.plain.sasl.jaas.config':
      'org.apache.kafka.common.security.plain.PlainLoginModule required ' +
      `username="${administrator}" password="${passwordOf(administrator)}" ${logins.join(' ')};`,
  });
  const telemetry = createTelemetry({ service: 'test', write: () => {} });
  const settings = (user: string): BusSettings =>
    readConfig(busSettings, {
      KAFKA_BROKERS: broker,
      KAFKA_SASL_MECHANISM: 'plain',
      KAFKA_USERNAME: user,
      KAFKA_PASSWORD: passwordOf(user),
    }).settings;
  return {
    broker,
    settings,
    as: (user) => connectKafka(settings(user), telemetry),
    stop: async () => {
      await guards.stopAll();
      rmSync(dir, { recursive: true, force: true });
    },
  };
};
