import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pto/testing';
import type { Stage } from '../stage/rehearsal.ts';
import { type Cluster, namespace } from './cluster.ts';

const selector = 'app.kubernetes.io/part-of=partner-api';
const admittedWithinMs = 180_000;

/** A running pod of the release, with its process. */
export interface Pod {
  readonly name: string;
  readonly process: string;
  readonly image: string;
  readonly node: string;
  readonly ready: boolean;
}

interface Listed {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly deletionTimestamp?: string;
  };
  readonly spec: {
    readonly nodeName: string;
    readonly containers: readonly { readonly image: string }[];
  };
  readonly status: {
    readonly phase: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

/** Lists the running pods of the release's processes, without those that end. */
export const runningPods = async (on: Cluster): Promise<Pod[]> => {
  const { items } = JSON.parse(await on.look('get', 'pods', '-l', selector, '-o', 'json')) as {
    items: Listed[];
  };
  return items
    .filter(({ metadata, status }) => !metadata.deletionTimestamp && status.phase === 'Running')
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      process: metadata.labels['app.kubernetes.io/name'] ?? '',
      node: spec.nodeName,
      image: spec.containers[0]?.image ?? '',
      ready: status.conditions?.some((c) => c.type === 'Ready' && c.status === 'True') ?? false,
    }));
};

/** The ready pods of a process. */
export const readyOf = (pods: readonly Pod[], process: string): Pod[] =>
  pods.filter((pod) => pod.process === process && pod.ready);

/** Requests the eviction of one pod. @returns whether the disruption budget admitted it. */
export const evict = async (on: Cluster, stage: Stage, pod: string): Promise<boolean> => {
  const file = join(stage.folder, 'eviction.json');
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

/** Evicts a pod as soon as its budget admits it. @returns how often the budget rejected it. */
export const evictWhenAdmitted = async (
  on: Cluster,
  stage: Stage,
  pod: string,
): Promise<number> => {
  let rejected = 0;
  await until(
    async () => {
      if (await evict(on, stage, pod)) return true;
      rejected++;
      await on.look('get', 'pod', pod, '-o', 'name');
      return false;
    },
    { deadlineMs: admittedWithinMs, what: `the eviction of ${pod}` },
  );
  return rejected;
};
