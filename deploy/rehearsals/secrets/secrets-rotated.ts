import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { operatorClients } from '../../../e2e/operator.ts';
import { startReceiver } from '../../../e2e/receiver.ts';
import { openStack, operatorOf } from '../stage/local-stack.ts';
import { closedIn, startPartners } from '../stage/partners.ts';
import { startReaders } from '../stage/readers.ts';
import { allReceived, requireSound } from '../stage/received.ts';
import type { Rehearsal, Stage } from '../stage/rehearsal.ts';
import { behindIngress } from '../stage/rolling-restart.ts';
import { rotateEndpointSecret, rotateOperatorToken, rotatePartnerKey } from './credentials.ts';
import { openKafka } from './kafka-with-user.ts';
import { rotateKeyRings } from './key-rings.ts';
import {
  rotateAuditorKey,
  rotateDatabasePasswords,
  rotateKafkaUser,
  rotateRedisPassword,
} from './passwords.ts';
import { openRedis } from './redis-with-password.ts';
import { openSecretStore } from './secret-store.ts';

const replicas = ['gateway', 'orders', 'custody', 'webhooks'].map((name) => `${name}=2`).join(',');

/** The local stack with its stores, the users of the API, and what the rotations need of them. */
const openScene = async (stage: Stage) => {
  const store = openSecretStore(stage);
  const redis = await openRedis(stage);
  const kafka = await openKafka(stage);
  const local = await openStack(stage, {
    args: ['--no-demo', '--replicas', replicas],
    env: { ...store.env, ...kafka.env, REDIS_URL: redis.url },
  });
  const ingress = behindIngress(stage, local);
  /** What the users of the API have. */
  const view = { key: local.file().organizations[0]!.keys.all, token: '', stack: ingress.stack };
  view.stack = {
    ...local,
    file: () => {
      const file = ingress.stack.file();
      const [first, ...others] = file.organizations;
      const organizations = [{ ...first!, keys: { ...first!.keys, all: view.key } }, ...others];
      const { env, ...command } = file.operator;
      const token = view.token === '' ? {} : { OPERATOR_TOKEN: view.token };
      return { ...file, organizations, operator: { ...command, env: { ...env, ...token } } };
    },
  };
  const receiver = await startReceiver(view.stack);
  stage.atEnd(receiver.stop);
  await receiver.subscribe();
  const operators = () => operatorClients(view.stack);
  const partners = startPartners(view.stack, 2, 'rehearsal', operators);
  stage.atEnd(() => partners.stop().catch(() => {}));
  const readers = startReaders(view.stack);
  stage.atEnd(readers.stop);
  const auditorLog = () => readFileSync(join(local.dir, 'logs', 'auditor-0.log'), 'utf8');
  return {
    ...{ stage, store, redis, kafka, view, receiver, partners, readers },
    /** The local stack itself, with the credentials of its start. */
    stack: local,
    restart: ingress.restart,
    operator: operatorOf(stage, view.stack),
    operatorOn: (other: LocalStack) => operatorOf(stage, other),
    moreClosed: (count: number) => closedIn(partners, count),
    auditPasses: () => auditorLog().split('audit pass completed').length,
    /** Runs the Job that migrates a database, as its owner. */
    migrate: (name: string, env: NodeJS.ProcessEnv) => migrate(stage, local, name, env),
  };
};

export type Scene = Awaited<ReturnType<typeof openScene>>;

const migrate = async (
  stage: Stage,
  stack: LocalStack,
  name: string,
  env: NodeJS.ProcessEnv,
): Promise<void> => {
  const program = new URL(`../../../services/${name}/src/migrate.ts`, import.meta.url).pathname;
  const stored = JSON.parse(readFileSync(join(stack.dir, 'secrets.json'), 'utf8'));
  const url = new URL(stack.file().stores.postgres.superuser);
  url.pathname = `/${name}`;
  url.username = `${name}_owner`;
  url.password = stored.databases[name].ownerPassword;
  await stage.command(process.execPath, [program], {
    env: {
      ...process.env,
      ...{ MIGRATION_DATABASE_URL: url.href, CUSTODY_LOG_ORIGIN: 'localhost/custody' },
      ...env,
    },
    shown: `the Job ${name}-migrate, with ${Object.keys(env).join(', ')}`,
  });
};

/** docs/operators/keys.md: each secret is replaced under load, by its steps and nothing else. */
export const secretsRotated: Rehearsal = {
  name: 'secrets-rotated',
  summary: 'each key, password and token replaced under load, without a failed request',
  run: async (stage) => {
    const scene = await stage.step('the services, with Redis and Kafka that have passwords', () =>
      openScene(stage),
    );
    const { partners, readers, receiver, operator } = scene;
    let reported = 0;
    /** Fails at the rotation during which a partner's request failed. */
    const withoutFailure = async (rotate: (scene: Scene) => Promise<void>): Promise<void> => {
      await rotate(scene);
      const creations = [...partners.statuses].filter(([status]) => status !== 201);
      const steps = partners.failedSteps();
      if (steps > reported) stage.note(`  ${steps - reported} steps of operators were repeated`);
      reported = steps;
      assert.deepEqual([creations, readers.failures], [[], []], 'no request of a partner failed');
    };
    await scene.moreClosed(3);
    await withoutFailure(rotatePartnerKey);
    await withoutFailure(rotateEndpointSecret);
    await withoutFailure(rotateOperatorToken);
    await withoutFailure(rotateKeyRings);
    await withoutFailure(rotateAuditorKey);
    await withoutFailure(rotateRedisPassword);
    await withoutFailure(rotateKafkaUser);
    await withoutFailure(rotateDatabasePasswords);
    await stage.step(
      'each event reached its receiver once, signed; the ledger is valid',
      async () => {
        await partners.finish();
        await readers.stop();
        await allReceived(
          receiver,
          partners.placed.map(({ id }) => id),
        );
        const signed = await Promise.all(receiver.received.map((one) => one.signed));
        assert(signed.every(Boolean), 'each delivery is signed by the secret of its time');
        await requireSound(operator, receiver);
        assert.deepEqual((await operator('ledger', 'violations', '--state', 'open')).json, []);
        stage.note(
          `  ${partners.placed.length} orders, ${readers.requests()} reads, ` +
            `${receiver.received.length} deliveries`,
        );
      },
    );
  },
};
