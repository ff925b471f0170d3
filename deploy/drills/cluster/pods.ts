import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pto/testing';
import { type Cluster, namespace } from './cluster.ts';

const selector = 'app.kubernetes.io/part-of=partner-api';
const admittedWithinMs = 180_000;
const replacedWithinMs = 300_000;

/** A running pod of the release, with its process. */
export interface Pod {
  readonly name: string;
  readonly process: string;
  readonly image: string;
  readonly node: string;
  readonly ready: boolean;
}

/** Lists the running pods of the release's processes, without those that end. */
export const runningPods = async (on: Cluster): Promise<Pod[]> => {
  const { items } = JSON.parse(await on.look('get', 'pods', '-l', selector, '-o', 'json'));
  // biome-ignore lint/suspicious/noExplicitAny: kubectl's own type of a pod
  return (items as any[])
    .filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase === 'Running')
    .map(({ metadata, spec, status }) => ({
      ...{ name: metadata.name, process: metadata.labels['app.kubernetes.io/name'] },
      ...{ node: spec.nodeName, image: spec.containers[0].image },
      ready: (status.conditions ?? []).some(
        (one: { type: string; status: string }) => one.type === 'Ready' && one.status === 'True',
      ),
    }));
};

/** The ready pods of a process. */
export const readyOf = (pods: readonly Pod[], process: string): Pod[] =>
  pods.filter((pod) => pod.process === process && pod.ready);

/** Requests the eviction of one pod. @returns whether the disruption budget admitted it. */
export const evict = async (on: Cluster, pod: string): Promise<boolean> => {
  const file = join(on.bed.folder, 'eviction.json');
  const metadata = { name: pod, namespace };
  writeFileSync(file, JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata }));
  const path = `/api/v1/namespaces/${namespace}/pods/${pod}/eviction`;
  const shown = `kubectl create --raw ${path}`;
  try {
    await on.run('kubectl', ['create', '--raw', path, '-f', file], { shown });
    return true;
  } catch (error) {
    // 429 TooManyRequests, as kubectl prints it
    if (/disruption budget/.test((error as Error).message)) return false;
    throw error;
  }
};

/** Evicts a pod as soon as its budget admits it. */
export const evictWhenAdmitted = (on: Cluster, pod: string): Promise<true> =>
  until(
    async () => {
      if (await evict(on, pod)) return true;
      await on.look('get', 'pod', pod, '-o', 'name');
      return false;
    },
    { deadlineMs: admittedWithinMs, what: `the eviction of ${pod}` },
  );

/**
 * Runs a change that replaces all pods, and waits until the pods of before are gone. The transcript
 * has how long images of two releases served side by side, and of how many processes at once.
 * @returns of how many processes: 0 where all images are the same.
 */
export const replaceAll = async (on: Cluster, change: () => Promise<unknown>): Promise<number> => {
  const old = (await runningPods(on)).map(({ name }) => name);
  let [changed, first, last, mixed] = [false, 0, 0, 0];
  const changing = change().then(() => {
    changed = true;
  });
  const replaced = until(
    async () => {
      const now = await runningPods(on);
      const images = Map.groupBy(
        now.filter(({ ready }) => ready),
        ({ process }) => process,
      );
      const both = [...images.values()].filter(
        (pods) => new Set(pods.map(({ image }) => image)).size > 1,
      ).length;
      if (both > 0) {
        last = performance.now();
        first ||= last;
        mixed = Math.max(mixed, both);
      }
      return changed && now.every(({ name }) => !old.includes(name));
    },
    { deadlineMs: replacedWithinMs, what: 'the end of the old pods' },
  );
  await Promise.all([changing, replaced]);
  const seconds = Math.round((last - first) / 1000);
  on.bed.note(`  ready pods of two images for ${seconds} s, of up to ${mixed} processes at once`);
  return mixed;
};
