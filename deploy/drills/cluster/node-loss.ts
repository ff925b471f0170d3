import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { until } from '@pto/testing';
import type { Drill } from '../drill.ts';
import { openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { type Pod, readyOf, runningPods } from './pods.ts';
import { openStores, tags, upgradeRelease } from './release.ts';

const second = 'node2';
const script = fileURLToPath(new URL('second-node.sh', import.meta.url));
const processes = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'console'];
const imageOf = (name: string) => `localhost/partner-api/${name}:${tags.present}`;
const withinMs = 300_000;
const repeatMs = 90_000;

/** docs/operators/README.md, "In the cluster": a node is drained, and a node is lost. */
export const nodeLoss: Drill = {
  name: 'cluster-node-lost',
  summary: 'one of two nodes is drained to the end, then loses its power: nothing is lost',
  run: async (bed) => {
    const on = await openCluster(bed);
    /** Waits until the ready pods of each process are as they must be. */
    const untilEach = (isGood: (ready: readonly Pod[]) => boolean, what: string) => {
      const areGood = (pods: readonly Pod[]) =>
        processes.every((process) => isGood(readyOf(pods, process)));
      return until(async () => areGood(await runningPods(on)), { deadlineMs: withinMs, what });
    };
    const spread = () =>
      untilEach((pods) => new Set(pods.map(({ node }) => node)).size === 2, 'pods on both nodes');
    /** Runs a work whose pods may not start on the second node. */
    const onFirst = async <T>(work: () => Promise<T>): Promise<T> => {
      await on.run('kubectl', ['cordon', second]);
      return work().finally(() => on.run('kubectl', ['uncordon', second]));
    };
    const secondNode = (...words: string[]) =>
      on.run('bash', [script, ...words], {
        timeoutMs: withinMs,
        shown: `second-node.sh ${words.join(' ')}`,
      });
    await bed.step('a second node', async () => {
      bed.atEnd(() => on.run('kubectl', ['delete', 'node', second, '--ignore-not-found']));
      bed.atEnd(() => secondNode('off'));
      await secondNode('up', ...[...processes, 'operator'].map(imageOf));
    });
    await bed.step('the release, its stores on the first node', async () => {
      await onFirst(() => openStores(on, true));
      await upgradeRelease(on);
      await spread();
    });
    const operator = await openOperator(on);
    const calm = await onFirst(() => startPartner(on, operator));
    await bed.step('a drain of the second node ends; no request failed', async () => {
      const how = ['--ignore-daemonsets', '--delete-emptydir-data'];
      await on.run('kubectl', ['drain', second, ...how]);
      assert.ok((await runningPods(on)).every(({ node }) => node !== second));
      await calm.closedIn(5);
      await calm.requireSound();
    });
    await bed.step('restarts spread the pods over both nodes', async () => {
      await on.run('kubectl', ['uncordon', second]);
      for (const process of processes) await on.restart(process);
      await spread();
    });
    const partner = await onFirst(() => startPartner(on, operator, { repeatMs }));
    const lostAt = Date.now();
    const noteTime = () => bed.note(`  ${Math.round((Date.now() - lostAt) / 1000)} s after it`);
    await bed.step(
      'the second node loses its power; its pods are replaced on the first one',
      async () => {
        await secondNode('off');
        const unknown = '--for=condition=Ready=Unknown';
        await on.run('kubectl', ['wait', unknown, `node/${second}`, '--timeout=120s']);
        noteTime();
        await partner.closedIn(10);
        await on.run('kubectl', ['delete', 'node', second]);
        await untilEach((pods) => pods.length === 2, 'two ready pods of each process');
        noteTime();
        await partner.closedIn(10);
      },
    );
    await bed.step('each request succeeded, no event is lost', async () => {
      const delayed = await partner.requireSound();
      const longest = Math.round(Math.max(0, ...delayed.map(({ ms }) => ms)) / 1000);
      bed.note(`  ${delayed.length} requests were repeated, the longest for ${longest} s`);
    });
  },
};
