import { readFileSync } from 'node:fs';
import { until } from '@pto/testing';
import { parse } from 'yaml';
import type { Stage } from '../stage/rehearsal.ts';
import type { Cluster } from './cluster.ts';
import { readSecret } from './secret-change.ts';
import { type Store, storeReference, type Values } from './store-pod.ts';

type Keys = Readonly<Record<string, readonly string[]>>;

const syncedWithinMs = 60_000;
const restartedWithin = '--timeout=10m';

const read = (path: string) =>
  parse(readFileSync(new URL(`../../helm/${path}`, import.meta.url), 'utf8'));

/** Secrets of the release with their keys: those of the chart, and what local.yaml adds. */
export const secretKeys = (): Keys => {
  const chart = read('partner-api/values.yaml');
  const processes: { jobs?: { migrate?: { secrets?: Keys } } }[] = Object.values(
    read('environments/local.yaml'),
  );
  const added = processes.map(({ jobs }) => jobs?.migrate?.secrets ?? {});
  const { secrets } = chart.global.externalSecrets;
  return Object.assign({}, secrets, chart.courier.secrets, ...added) as Keys;
};

/** Values with which External Secrets brings all of them. */
export const fromStore = (refreshInterval: string): object => ({
  global: {
    externalSecrets: {
      ...{ enabled: true, store: storeReference, refreshInterval },
      secrets: secretKeys(),
    },
  },
});

/** The Secrets in the cluster, their values at the store, and the steps of docs/operators/keys.md. */
export const releaseSecrets = (on: Cluster, stage: Stage, store: Store) => {
  const stored = new Map<string, Values>();
  const valuesOf = (name: string): Promise<Values> => readSecret(on, name);
  const put = async (name: string, values: Values): Promise<void> => {
    stored.set(name, { ...stored.get(name), ...values });
    await store.put(name, stored.get(name)!);
  };
  /** Whether the Secret has the values of the store, and no other keys. */
  const isAsStored = async (name: string): Promise<boolean> => {
    const [there, expected] = [await valuesOf(name), stored.get(name)!];
    return (
      Object.keys(there).length === Object.keys(expected).length &&
      Object.entries(expected).every(([key, value]) => there[key] === value)
    );
  };
  /** Waits until the Secret has the values of the store. */
  const untilAsStored = (name: string): Promise<true> =>
    until(() => isAsStored(name), {
      deadlineMs: syncedWithinMs,
      what: `the Secret ${name} to have the values of the store`,
    });
  return {
    valuesOf,
    put,
    untilAsStored,
    names: (): string[] => [...stored.keys()],
    /** Stores new values and brings them immediately. */
    bring: async (name: string, values: Values): Promise<void> => {
      await put(name, values);
      const mark = `force-sync=${Math.floor(Date.now() / 1000)}`;
      await on.kubectl('annotate', 'externalsecret', name, mark, '--overwrite');
      await untilAsStored(name);
      stage.note(`  the Secret ${name} has the values of the store`);
    },
    restart: async (...processes: readonly string[]): Promise<void> => {
      const names = processes.map((name) => `deployment/${name}`);
      await on.kubectl('rollout', 'restart', ...names);
      for (const name of names) await on.kubectl('rollout', 'status', name, restartedWithin);
    },
  };
};

export type ReleaseSecrets = ReturnType<typeof releaseSecrets>;
