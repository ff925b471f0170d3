import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { until } from '@pto/testing';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { type Cluster, namespace, openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { fromStore, releaseSecrets, secretKeys } from './release-secrets.ts';
import { rotateMessageKeys, rotatePassword } from './secret-rotation.ts';
import { openStorePod } from './store-pod.ts';
import { openStores } from './stores.ts';

/** The chart's own; only a changed annotation brings a value within a rehearsal. */
const seldom = '1h';
const often = '10s';
const syncedWithinMs = 180_000;

/** docs/operators/keys.md: External Secrets brings the Secrets, whose values change at the store. */
export const externalSecrets: Rehearsal = {
  name: 'cluster-secrets',
  summary:
    'External Secrets brings the Secrets from a store; keys and a password change there under load; the store does not respond',
  run: async (stage) => {
    const on = await openCluster(stage);
    await on.kubectl('get', 'crd/clustersecretstores.external-secrets.io').catch((cause) => {
      throw new Error('needs External Secrets', { cause });
    });
    await stage.step('the release, with the Secrets of the stores', async () => {
      // a run that failed may have left a password that is not the Secret's
      await on.run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found']);
      await openStores(on, stage);
      await upgradeRelease(on, stage);
    });
    const store = await openStorePod(on, stage);
    const secrets = releaseSecrets(on, stage, store);
    const operator = await openOperator(stage);
    const partner = await startPartner(stage, on, operator);
    await partner.closedIn(5);
    const upgrade = (refreshInterval: string, ...settings: readonly string[]) =>
      upgradeRelease(on, stage, { values: fromStore(refreshInterval), settings });
    const scene = { on, stage, operator, partner, secrets };

    await stage.step('External Secrets brings each Secret before the Jobs need it', async () => {
      const names = Object.entries(secretKeys());
      for (const [name, keys] of names) {
        const values = await secrets.valuesOf(name);
        await secrets.put(name, Object.fromEntries(keys.map((key) => [key, values[key]!])));
      }
      await on.kubectl('delete', 'secrets', ...secrets.names());
      // the Secrets stay, for the next rehearsal
      stage.atEnd(() => on.kubectl('delete', 'externalsecrets', '--all'));
      await upgrade(seldom);
      await allSynced(on);
      for (const name of secrets.names()) await secrets.untilAsStored(name);
      stage.note(`  ${names.length} Secrets`);
      await partner.closedIn(5);
    });
    await rotateMessageKeys(scene);
    await rotatePassword(scene);
    await stage.step('without the store an upgrade and a restart use the Secrets', async () => {
      await store.respond(false);
      await upgrade(often);
      await on.kubectl('get', 'externalsecrets');
      for (const name of secrets.names()) await secrets.untilAsStored(name);
      await secrets.restart('gateway');
      await partner.closedIn(5);
    });
    await stage.step('a changed value comes at the interval, without a command', async () => {
      const { ORDERS_CURSOR_KEY: old } = await secrets.valuesOf('orders');
      const next = randomBytes(32).toString('base64');
      await secrets.put('orders', { ORDERS_CURSOR_KEY: `${old},${next}` });
      await store.respond(true);
      await allSynced(on);
      await secrets.untilAsStored('orders');
      await partner.closedIn(5);
    });
    await stage.step(
      'without External Secrets an upgrade fails, or leaves the Secrets',
      async () => {
        stage.atEnd(() => scaleController(on, 1));
        await scaleController(on, 0);
        await assert.rejects(upgrade(seldom, '--timeout', '30s'), /pre-upgrade hooks failed/);
        await partner.closedIn(5);
        await upgrade(seldom, '--set', 'global.externalSecrets.enabled=false');
        await secrets.restart('gateway');
        await partner.closedIn(5);
        await scaleController(on, 1);
        await upgrade(seldom);
        await allSynced(on);
        for (const name of secrets.names()) await secrets.untilAsStored(name);
      },
    );

    await stage.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

const scaleController = async (on: Cluster, replicas: number): Promise<void> => {
  const inItsOwn = (...words: string[]) =>
    on.run('kubectl', ['--namespace', 'external-secrets', ...words]);
  await inItsOwn('scale', 'deployment/external-secrets', `--replicas=${replicas}`);
  await inItsOwn('rollout', 'status', 'deployment/external-secrets', '--timeout=120s');
};

/** Waits until External Secrets has read each value since the last upgrade. */
const allSynced = async (on: Cluster): Promise<void> => {
  const one = '{.status.conditions[?(@.type=="Ready")].status} ';
  const path = `-o=jsonpath={range .items[*]}${one}{end}`;
  await until(
    async () => {
      const states = (await on.look('get', 'externalsecrets', path)).trim().split(' ');
      return (
        states.length === Object.keys(secretKeys()).length && states.every((s) => s === 'True')
      );
    },
    { deadlineMs: syncedWithinMs, what: 'each ExternalSecret to be ready' },
  );
};
