import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { type Cluster, openCluster } from './cluster.ts';
import { evict, evictWhenAdmitted, type Pod, readyOf, runningPods } from './eviction.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { openStores } from './stores.ts';

/** A drain that cannot end is given up after so long. */
const drainSeconds = 40;
const readyWithinMs = 180_000;

/** docs/operators/failures.md: a node is drained while partners work. */
export const nodeDrain: Rehearsal = {
  name: 'cluster-drain',
  summary: 'a node is drained under load: budgets keep one pod of each process, no request fails',
  run: async (stage) => {
    const on = await openCluster(stage);
    await stage.step('the release', async () => {
      await openStores(on, stage);
      await upgradeRelease(on, stage);
    });
    const operator = await openOperator(stage);
    const partner = await startPartner(stage, on, operator);
    await partner.closedIn(5);
    const before = await runningPods(on);
    const node = await onlyNode(on);

    await stage.step('a drain leaves a ready pod of each process that has two', async () => {
      stage.atEnd(() => on.run('kubectl', ['uncordon', node]));
      await on.run(
        'kubectl',
        [
          ...['drain', node, '--pod-selector=app.kubernetes.io/part-of=partner-api'],
          ...['--ignore-daemonsets', '--delete-emptydir-data', `--timeout=${drainSeconds}s`],
        ],
        { codes: [1] },
      );
      const now = await runningPods(on);
      stage.note(`  ${before.length} pods before, ${now.length} after ${drainSeconds} s of drain`);
      for (const process of pairs(before))
        assert.equal(readyOf(now, process).length, 1, `one ready pod of ${process}`);
      await partner.closedIn(5);
    });

    await stage.step('the eviction of a last ready pod is rejected', async () => {
      const now = await runningPods(on);
      for (const process of pairs(before)) {
        const [last] = readyOf(now, process);
        assert.equal(await evict(on, stage, last!.name), false, `the last pod of ${process}`);
      }
    });

    await stage.step('the node is back, and so are the pods', async () => {
      await on.run('kubectl', ['uncordon', node]);
      await restored(on, before);
    });

    await stage.step('the other pods are evicted, each when its successor is ready', async () => {
      const left = (await runningPods(on)).filter((pod) => before.some(isSame(pod)));
      let rejected = 0;
      for (const pod of left) rejected += await evictWhenAdmitted(on, stage, pod.name);
      await restored(on, before);
      const now = await runningPods(on);
      assert.deepEqual(
        now.filter((pod) => before.some(isSame(pod))),
        [],
        'each pod is another one',
      );
      stage.note(`  ${left.length} evictions; budgets rejected ${rejected} requests before`);
      await partner.closedIn(5);
    });

    await stage.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

const isSame = (one: Pod) => (other: Pod) => one.name === other.name;

/** Processes with two pods. */
const pairs = (pods: readonly Pod[]): string[] =>
  [...new Set(pods.map(({ process }) => process))].filter(
    (process) => readyOf(pods, process).length > 1,
  );

/** Waits until each process has as many ready pods as before. */
const restored = (on: Cluster, before: readonly Pod[]): Promise<true> =>
  until(
    async () => {
      const now = await runningPods(on);
      return before.every(
        ({ process }) => readyOf(now, process).length >= readyOf(before, process).length,
      );
    },
    { deadlineMs: readyWithinMs, what: 'as many ready pods as before' },
  );

/** @throws Error if the cluster has several nodes: the drain of one would end. */
const onlyNode = async (on: Cluster): Promise<string> => {
  const names = await on.kubectl('get', 'nodes', '-o=jsonpath={.items[*].metadata.name}');
  const [node, ...others] = names.split(' ');
  if (!node || others.length > 0) throw new Error(`needs a cluster of one node, not of: ${names}`);
  return node;
};
