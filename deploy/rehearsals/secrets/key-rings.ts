import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { busSettings, openBus } from '@pto/bus';
import { readConfig } from '@pto/config';
import { noteKeyOfSeed, publicBytes } from '@pto/custody-verifier/sign-note';
import { custodyEventsTopic, orderEventsTopic, readersOf } from '@pto/proto/topics';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { metricOf } from '../stage/local-stack.ts';
import type { Scene } from './secrets-rotated.ts';

const readers = ['orders', 'custody', 'webhooks'] as const;
const deadlineMs = 60_000;
const origin = 'localhost/custody'; // of the local stack

/** Files of the local stack's folder with the secrets of its start, by setting. */
const settings = {
  WEBHOOKS_SECRET_KEYS: 'webhooksSecretKeys',
  ORDERS_CUSTODY_KEYS: 'ordersCustodyKeys',
  CUSTODY_WEBHOOKS_KEYS: 'custodyWebhooksKeys',
  ARTIFACTS_KEYS: 'artifactsKeys',
  ORDERS_CURSOR_KEY: 'ordersCursorKey',
  CUSTODY_SIGNING_KEYS: 'custodySigningKey',
} as const;

type Setting = keyof typeof settings;

/** Rings whose keys have ids; the others are keys alone. */
const named: readonly Setting[] = [
  'WEBHOOKS_SECRET_KEYS',
  'ORDERS_CUSTODY_KEYS',
  'CUSTODY_WEBHOOKS_KEYS',
  'ARTIFACTS_KEYS',
];

/**
 * docs/operators/keys.md and ledger.md: each ring gets a new key behind the old one, then before it,
 * then without it. The rings are rotated together, so that their readers restart three times.
 */
export const rotateKeyRings = async (scene: Scene): Promise<void> => {
  const { stage, stack, store, restart, operator, moreClosed } = scene;
  const stored = JSON.parse(readFileSync(join(stack.dir, 'secrets.json'), 'utf8'));
  const names = Object.keys(settings) as Setting[];
  const old = (name: Setting): string => stored[settings[name]];
  const next = Object.fromEntries(
    names.map((name) => {
      const key = randomBytes(32).toString('base64');
      return [name, named.includes(name) ? `next:${key}` : key];
    }),
  ) as Record<Setting, string>;
  const put = (textOf: (name: Setting) => string): void =>
    store.put(Object.fromEntries(names.map((name) => [name, textOf(name)])));
  const publicOf = (seed: string): string =>
    Buffer.from(publicBytes(noteKeyOfSeed(origin, Buffer.from(seed, 'base64')))).toString('base64');
  const register = (...seeds: readonly string[]) =>
    scene.migrate('custody', { CUSTODY_PUBLIC_KEYS: seeds.map(publicOf).join(',') });
  const signatures = async (): Promise<number> => {
    const { origin: gateway } = new URL(stack.file().gateways[0]!);
    const note = await (await fetch(`${gateway}/custody/checkpoint`)).text();
    return note.split('\n').filter((line) => line.startsWith('— ')).length;
  };
  const signed = (count: number) =>
    until(async () => (await signatures()) === count, {
      deadlineMs,
      what: `a checkpoint with ${count} signatures`,
    });
  const { CUSTODY_SIGNING_KEYS: seed } = next;

  await stage.step('key rings: the new key behind the old one', async () => {
    put((name) => `${old(name)},${next[name]}`);
    await register(old('CUSTODY_SIGNING_KEYS'), seed);
    await restart(...readers);
    await moreClosed(3);
    await signed(2);
  });
  await stage.step('key rings: the new key before the old one', async () => {
    put((name) => `${next[name]},${old(name)}`);
    await restart(...readers);
    const resealed = await operator('endpoint', 'reseal');
    assert.equal(resealed.json.remaining, 0);
    await moreClosed(3);
    await signed(2);
    const passes = scene.auditPasses();
    await until(() => scene.auditPasses() > passes, { deadlineMs, what: 'an audit pass' });
    await untilNothingIsInTransit(scene);
  });
  await stage.step(
    'key rings: the new key alone; that of artifacts keeps the old one',
    async () => {
      put((name) => (name === 'ARTIFACTS_KEYS' ? `${next[name]},${old(name)}` : next[name]));
      await register(seed);
      await restart(...readers);
      await moreClosed(3);
      await signed(1);
    },
  );
};

/** Waits until no message with the old keys is in transit, also under a load that never ends. */
const untilNothingIsInTransit = async ({ stack, kafka, operator }: Scene): Promise<void> => {
  for (const service of ['orders', 'custody'])
    await until(async () => (await metricOf(stack, service, 'outbox_oldest_unsent_seconds'))! < 1, {
      deadlineMs,
      what: `the rows of ${service} from before to be sent`,
    });
  const telemetry = createTelemetry({ service: 'rehearsal', write: () => {} });
  const bus = await openBus(readConfig(busSettings, kafka.env).settings, telemetry);
  try {
    for (const topic of [orderEventsTopic, custodyEventsTopic]) {
      const ends = await bus.ends(topic);
      for (const group of readersOf(topic))
        await until(async () => (await bus.lag(group, topic, ends)) === 0, {
          deadlineMs,
          what: `${group} to handle what was sent to ${topic}`,
        });
    }
  } finally {
    await bus.close();
  }
  assert.deepEqual((await operator('dlq', 'list')).json, []);
};
