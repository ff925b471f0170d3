import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { until } from '@pto/testing';
import { openLoaded } from '../bed/loaded.ts';
import { openSecretStore, secretsOf } from '../bed/secret-store.ts';
import type { Drill } from '../drill.ts';
import { auditPasses, register, signaturesOf } from './log-keys.ts';

const lag = 'bus_consumer_lag';
const age = 'outbox_oldest_unsent_seconds';
/** Each is below 1 once after the restarts, in this order; under load some never are. */
const transit = [
  ['orders', age],
  ['custody', lag],
  ['custody', age],
  ['orders', lag],
  ['webhooks', lag],
] as const;

/** Rings with the names of their keys in the local stack's secrets, and whether their keys have ids. */
const rings = [
  ['WEBHOOKS_SECRET_KEYS', 'webhooksSecretKeys', true],
  ['ORDERS_CUSTODY_KEYS', 'ordersCustodyKeys', true],
  ['CUSTODY_WEBHOOKS_KEYS', 'custodyWebhooksKeys', true],
  ['ARTIFACTS_KEYS', 'artifactsKeys', true],
  ['ORDERS_CURSOR_KEY', 'ordersCursorKey', false],
  ['CUSTODY_SIGNING_KEYS', 'custodySigningKey', false],
  ['CUSTODY_AUDITOR_STATE_KEY', 'auditorStateKey', false],
] as const;

/**
 * docs/operators/keys.md and ledger.md: each ring gets a new key behind the old one, then before it,
 * then without it; together, so that their readers restart three times.
 */
export const keyRings: Drill = {
  name: 'key-rings',
  summary: 'each ring of keys rotated under load, without a failed request',
  run: async (bed) => {
    const store = openSecretStore(bed);
    const on = await openLoaded(bed, { args: store.args, env: store.env, ingress: true });
    const stored = secretsOf(on.stack);
    const keys = rings.map(([setting, name, named]) => {
      const key = randomBytes(32).toString('base64');
      return { setting, old: stored[name] as string, next: named ? `next:${key}` : key };
    });
    const { old: seed, next: nextSeed } = keys.find(({ setting }) => /SIGNING/.test(setting))!;
    const bring = async (textOf: (one: (typeof keys)[number]) => string, ...seeds: string[]) => {
      store.put(Object.fromEntries(keys.map((one) => [one.setting, textOf(one)])));
      await register(on, seeds);
      await store.restart(on.stack, 'orders', 'custody', 'webhooks', 'auditor');
      await on.closed(3);
      const what = `a checkpoint with ${seeds.length} signatures`;
      await until(async () => (await signaturesOf(on)) === seeds.length, { what });
      on.unnoticed();
    };

    await bed.step('the new keys behind the old ones', () =>
      bring(({ old, next }) => `${old},${next}`, seed, nextSeed),
    );
    await bed.step('the new keys before the old ones', async () => {
      await bring(({ old, next }) => `${next},${old}`, seed, nextSeed);
      assert.equal((await on.operator('endpoint', 'reseal')).json.remaining, 0);
      const passes = auditPasses(on);
      await until(() => auditPasses(on) > passes, { what: 'an audit pass' });
    });
    await bed.step('no message with the old keys is in transit', () =>
      on.partners.pausedFor(async () => {
        for (const [service, name] of transit)
          await on.metricIs(service, name, (value) => value < 1);
      }),
    );
    await bed.step('the new keys alone; that of artifacts keeps the old one', () =>
      bring(
        ({ setting, old, next }) => (setting === 'ARTIFACTS_KEYS' ? `${next},${old}` : next),
        nextSeed,
      ),
    );
    await bed.step('each event came once, signed; the ledger is valid', async () => {
      await on.finish();
      await on.complete();
      const signed = await Promise.all(on.receiver.received.map((one) => one.signed));
      assert(signed.every(Boolean), 'each delivery is signed');
      const open = await on.operator('ledger', 'violations', '--state', 'open');
      assert.deepEqual(open.json, []);
    });
  },
};
