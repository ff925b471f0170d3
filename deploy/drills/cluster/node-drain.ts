import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Drill } from '../drill.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { evict, evictWhenAdmitted, type Pod, readyOf, runningPods } from './pods.ts';
import { openStores, upgradeRelease } from './release.ts';

/** A drain that cannot end is given up after so long. */
const drainSeconds = 40;
const readyWithinMs = 180_000;

/** docs/operators/README.md, "In the cluster": a node is drained while partners work. */
export const nodeDrain: Drill = {
  name: 'cluster-drain',
  summary: 'a node is drained under load: budgets keep one pod of each process, no request fails',
  run: async (bed) => {
    const on = await openCluster(bed);
    const node = await onlyNode(on);
    await bed.step('the release', async () => {
      await openStores(on);
      await upgradeRelease(on);
    });
    const partner = await startPartner(on, await openOperator(on));
    const before = await runningPods(on);
    const pairs = [...new Set(before.map(({ process }) => process))].filter(
      (process) => readyOf(before, process).length > 1,
    );
    const isOld = (pod: Pod) => before.some(({ name }) => name === pod.name);
    /** Waits until each process has as many ready pods as before. */
    const restored = (): Promise<true> =>
      until(
        async () => {
          const now = await runningPods(on);
          const isBack = ({ process }: Pod) =>
            readyOf(now, process).length >= readyOf(before, process).length;
          return before.every(isBack);
        },
        { deadlineMs: readyWithinMs, what: 'as many ready pods as before' },
      );

    await bed.step('a drain leaves a ready pod of each process that has two', async () => {
      bed.atEnd(() => on.run('kubectl', ['uncordon', node]));
      const which = ['--pod-selector=app.kubernetes.io/part-of=partner-api', '--ignore-daemonsets'];
      const how = ['--delete-emptydir-data', `--timeout=${drainSeconds}s`];
      await on.run('kubectl', ['drain', node, ...which, ...how], { codes: [1] });
      const now = await runningPods(on);
      bed.note(`  ${before.length} pods before, ${now.length} after ${drainSeconds} s of drain`);
      for (const process of pairs)
        assert.equal(readyOf(now, process).length, 1, `one ready pod of ${process}`);
      await partner.closedIn(5);
    });
    await bed.step('the eviction of a last ready pod is rejected', async () => {
      const now = await runningPods(on);
      for (const process of pairs)
        assert.equal(await evict(on, readyOf(now, process)[0]!.name), false, `${process}`);
    });
    await bed.step('the node is back, and so are the pods', async () => {
      await on.run('kubectl', ['uncordon', node]);
      await restored();
    });
    await bed.step('the other pods are evicted, each when its successor is ready', async () => {
      const left = (await runningPods(on)).filter(isOld);
      for (const { name } of left) await evictWhenAdmitted(on, name);
      await restored();
      assert.deepEqual((await runningPods(on)).filter(isOld), [], 'each pod is another one');
      await partner.closedIn(5);
    });
    await bed.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

/** @throws Error if the cluster has several nodes: the drain of one would end. */
const onlyNode = async (on: Cluster): Promise<string> => {
  const names = await on.kubectl('get', 'nodes', '-o=jsonpath={.items[*].metadata.name}');
  const [node, ...others] = names.split(' ');
  if (!node || others.length > 0) throw new Error(`needs a cluster of one node, not of: ${names}`);
  return node;
};
