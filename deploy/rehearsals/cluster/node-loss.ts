import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { until } from '@pto/testing';
import type { Rehearsal, Stage } from '../stage/rehearsal.ts';
import { type Cluster, namespace, openCluster } from './cluster.ts';
import { type Pod, readyOf, runningPods } from './eviction.ts';
import { openOperator } from './operator.ts';
import { openPages } from './pages.ts';
import { byService, startPartner } from './partner-pod.ts';
import { tags, upgradeRelease } from './release.ts';
import { openStores } from './stores.ts';

const second = 'node2';
const script = fileURLToPath(new URL('second-node.sh', import.meta.url));
const processes = ['gateway', 'operators', 'orders', 'custody', 'webhooks', 'courier', 'console'];
const upWithinMs = 300_000;
const replacedWithinMs = 300_000;
/** As long as a request is repeated: an outage that is longer fails it. */
const repeatMs = 90_000;

/** docs/operators/README.md, "In the cluster": a node is drained, and a node is lost. */
export const nodeLoss: Rehearsal = {
  name: 'cluster-node-lost',
  summary:
    'one of two nodes is drained to the end without a failed request, then loses its power: how long partners notice, nothing lost',
  run: async (stage) => {
    const on = await openCluster(stage);
    await stage.step('a second node', () => startSecondNode(on, stage));
    await stage.step('the release, its stores on the first node', async () => {
      await on.run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found']);
      await onFirstNode(on, () => openStores(on, stage));
      await upgradeRelease(on, stage);
      await spread(on);
    });
    const operator = await openOperator(stage);
    const follow = await openPages(on, stage);

    const calm = await onFirstNode(on, () => startPartner(stage, on, operator));
    await calm.closedIn(5);
    await stage.step('a drain of the second node ends', async () => {
      await follow('README', 'kubectl drain NODE --ignore-daemonsets --delete-emptydir-data', {
        NODE: second,
      });
      assert.deepEqual(await processesOn(on, second), []);
      await calm.closedIn(5);
      await follow('README', 'kubectl uncordon NODE', { NODE: second });
    });
    await stage.step('no request failed, no event is lost, none came twice', calm.requireSound);

    await stage.step('restarts spread the pods over both nodes', async () => {
      for (const process of processes)
        await follow('README', 'kubectl rollout restart deployment/NAME', { NAME: process });
      await spread(on);
    });
    const byFirst = { ...byService, repeatMs };
    const partner = await onFirstNode(on, () => startPartner(stage, on, operator, byFirst));
    await partner.closedIn(5);
    const lostAt = Date.now();
    await stage.step('the second node loses its power', async () => {
      stage.note(`  its pods: ${await processesOn(on, second)}`);
      await on.run('bash', [script, 'off'], { shown: 'second-node.sh off' });
      await partner.closedIn(10);
    });
    await stage.step('the cluster notices it', async () => {
      const unknown = '--for=condition=Ready=Unknown';
      await on.run('kubectl', ['wait', unknown, `node/${second}`, '--timeout=120s']);
      stage.note(`  after ${secondsSince(lostAt)} s`);
      await partner.closedIn(10);
    });
    await stage.step('its pods are replaced on the first node', async () => {
      await follow('README', 'kubectl delete node NODE', { NODE: second });
      await untilEach(on, (pods) => pods.length === 2, 'two ready pods of each process');
      stage.note(`  after ${secondsSince(lostAt)} s`);
      await partner.closedIn(10);
    });
    await stage.step('each request succeeded, no event is lost', async () => {
      const delayed = await partner.requireSound();
      const ends = delayed.map(({ at, ms }) => Date.parse(at) + ms);
      stage.note(
        `  ${delayed.length} requests were repeated, the longest for ${seconds(Math.max(0, ...delayed.map(({ ms }) => ms)))} s; the last one succeeded ${seconds(Math.max(lostAt, ...ends) - lostAt)} s after the loss`,
      );
    });
  },
};

const seconds = (ms: number): string => (ms / 1000).toFixed(1);
const secondsSince = (moment: number): string => seconds(Date.now() - moment);

/** Starts it with the images of the release; it is lost at the end. */
const startSecondNode = async (on: Cluster, stage: Stage): Promise<void> => {
  const names = [...processes, 'operator'];
  const images = names.map((name) => `localhost/partner-api/${name}:${tags.present}`);
  stage.atEnd(async () => {
    await on.run('bash', [script, 'off'], { codes: [0, 1], shown: 'second-node.sh off' });
    await on.run('kubectl', ['delete', 'node', second, '--ignore-not-found']);
  });
  await on.run('bash', [script, 'up', ...images], {
    timeoutMs: upWithinMs,
    shown: `second-node.sh up ${images.join(' ')}`,
  });
};

/** Runs a work whose pods may not start on the second node. */
const onFirstNode = async <T>(on: Cluster, work: () => Promise<T>): Promise<T> => {
  await on.run('kubectl', ['cordon', second]);
  try {
    return await work();
  } finally {
    await on.run('kubectl', ['uncordon', second]);
  }
};

/** Waits until each process has a ready pod on both nodes. */
const spread = async (on: Cluster): Promise<void> => {
  for (const process of processes)
    await on.kubectl('rollout', 'status', `deployment/${process}`, '--timeout=5m');
  const nodes = (pods: readonly Pod[]) => new Set(pods.map(({ node }) => node)).size;
  await untilEach(on, (pods) => nodes(pods) === 2, 'a ready pod of each process on both nodes');
};

/** Waits until the ready pods of each process are as they must be. */
const untilEach = (
  on: Cluster,
  isGood: (ready: readonly Pod[]) => boolean,
  what: string,
): Promise<true> =>
  until(
    async () => {
      const pods = await runningPods(on);
      return processes.every((process) => isGood(readyOf(pods, process)));
    },
    { deadlineMs: replacedWithinMs, what },
  );

/** Names of the release's processes that have a pod on a node. */
const processesOn = async (on: Cluster, node: string): Promise<string[]> =>
  (await runningPods(on)).filter((pod) => pod.node === node).map(({ process }) => process);
