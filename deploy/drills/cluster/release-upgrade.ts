import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Drill } from '../drill.ts';
import { openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { replaceAll } from './pods.ts';
import { openStores, tags, upgradeRelease } from './release.ts';

/** docs/operators/upgrade.md, on a cluster: charts, Jobs and images of two releases. */
export const releaseUpgrade: Drill = {
  name: 'cluster-upgrade',
  summary:
    'helm upgrade from the charts and images of an earlier release (--from CHECKOUT), rollback after the migrations, and upgrade again, under load',
  run: async (bed) => {
    if (bed.from === undefined) throw new Error('needs --from CHECKOUT: an earlier release');
    const from = resolve(bed.from);
    const on = await openCluster(bed);
    await bed.step('the earlier release', async () => {
      await openStores(on, true);
      await upgradeRelease(on, { from, tag: tags.earlier });
    });
    const partner = await startPartner(on, await openOperator(on));
    /** Requires that pods of both releases served side by side. */
    const replaced = async (change: () => Promise<unknown>): Promise<void> => {
      assert.ok((await replaceAll(on, change)) > 0, 'ready pods of both releases side by side');
      await partner.closedIn(5);
    };
    const jobs = () => on.kubectl('get', 'jobs', '-o=jsonpath={.items[*].metadata.uid}');

    await bed.step('upgrade to the present release', () => replaced(() => upgradeRelease(on)));
    await bed.step('rollback: images of before, the migrated databases', async () => {
      const before = await jobs();
      const words = ['rollback', 'partner-api', '--wait', '--timeout', '300s'];
      await replaced(() => on.run('helm', [...on.where, ...words]));
      assert.equal(await jobs(), before, 'a rollback runs no Job');
    });
    await bed.step('upgrade again', () => replaced(() => upgradeRelease(on)));
    await bed.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};
