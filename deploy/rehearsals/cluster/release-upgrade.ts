import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { type Cluster, namespace, openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { tags, upgradeRelease } from './release.ts';
import { replaceAll } from './replacement.ts';
import { openStores } from './stores.ts';

/** docs/operators/upgrade.md, on a cluster: charts, Jobs and images of two releases. */
export const releaseUpgrade: Rehearsal = {
  name: 'cluster-upgrade',
  summary:
    'helm upgrade from the charts and images of an earlier release (--from CHECKOUT), rollback after the migrations, and upgrade again, under load',
  run: async (stage) => {
    if (stage.from === undefined) throw new Error('needs --from CHECKOUT: an earlier release');
    const earlier = resolve(stage.from);
    const on = await openCluster(stage);
    await stage.step('the earlier release', async () => {
      await on.run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found']);
      await openStores(on, stage);
      await upgradeRelease(on, stage, { from: earlier, tag: tags.earlier });
    });
    const operator = await openOperator(stage);
    const partner = await startPartner(stage, on, operator);
    await partner.closedIn(5);

    /** Requires that pods of both releases served side by side. */
    const replaced = async (change: () => Promise<unknown>): Promise<void> => {
      const processes = await replaceAll(on, stage, change);
      assert.ok(processes > 0, 'ready pods of both releases stood side by side');
    };
    const present = () => upgradeRelease(on, stage);
    await stage.step('upgrade to the present release', () => replaced(present));
    await partner.closedIn(5);
    await stage.step('rollback: images of before, the migrated databases', async () => {
      const jobs = await uidsOfJobs(on);
      await replaced(async () => {
        const words = ['rollback', 'partner-api', '--namespace', namespace];
        await on.run('helm', [...words, '--wait', '--timeout', '300s']);
      });
      assert.equal(await uidsOfJobs(on), jobs, 'a rollback runs no Job');
    });
    await partner.closedIn(5);
    await stage.step('upgrade again', () => replaced(present));
    await partner.closedIn(5);

    await stage.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

const uidsOfJobs = (on: Cluster): Promise<string> =>
  on.kubectl(
    'get',
    'jobs',
    '-o=jsonpath={range .items[*]}{.metadata.name} {.metadata.uid}{"\\n"}{end}',
  );
