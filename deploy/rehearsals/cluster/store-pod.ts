import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scriptContainer } from '../../test/cluster/script-container.ts';
import type { Stage } from '../stage/rehearsal.ts';
import type { Cluster } from './cluster.ts';

const script = readFileSync(new URL('store-pod.js', import.meta.url), 'utf8');
/** Not the release's namespace: a store is elsewhere. */
const storeNamespace = 'secret-store';
const url = `http://store.${storeNamespace}.svc.cluster.local:8080`;
const selector = { app: 'store' };
const closed = { app: 'none' };

/** Keys of a Secret with their values. */
export type Values = Readonly<Record<string, string>>;

/** The ClusterSecretStore that reads from the pod; for `global.externalSecrets.store`. */
export const storeReference = { kind: 'ClusterSecretStore', name: 'rehearsal' };

/** Starts a store of secrets, without any yet. */
export const openStorePod = async (on: Cluster, stage: Stage) => {
  const inItsOwn = ['--namespace', storeNamespace];
  const remove = async () => {
    const { kind, name } = storeReference;
    for (const object of [`${kind}/${name}`, `namespace/${storeNamespace}`])
      await on.run('kubectl', ['delete', object, '--ignore-not-found']);
  };
  const apply = async (...items: readonly object[]) => {
    const file = join(stage.folder, 'store.json');
    writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    await on.run('kubectl', ['apply', '-f', file], { shown: 'kubectl apply: the store' });
  };
  await remove();
  await apply(...pod);
  stage.atEnd(remove);
  await on.run('kubectl', [...inItsOwn, 'wait', '--for=condition=Ready', 'pod/store']);
  // not before: External Secrets tries a store that does not respond again after ever longer pauses
  await apply(secretStore);
  return {
    /** Replaces a secret of the store; the transcript does not show its values. */
    put: async (name: string, values: Values): Promise<void> => {
      const body = join(stage.folder, `stored-${name}.json`);
      writeFileSync(body, JSON.stringify(values), { mode: 0o600 });
      const key = encodeURIComponent(`partner-api/${name}`);
      const path = `/api/v1/namespaces/${storeNamespace}/pods/store:8080/proxy/${key}`;
      const shown = `the store has new values of partner-api/${name}: ${Object.keys(values)}`;
      await on.run('kubectl', ['create', '--raw', path, '-f', body], { shown });
    },
    /** Whether the store responds. */
    respond: async (responds: boolean): Promise<void> => {
      const patch = JSON.stringify({ spec: { selector: responds ? selector : closed } });
      await on.run('kubectl', [...inItsOwn, 'patch', 'service/store', '--patch', patch]);
    },
  };
};

export type Store = Awaited<ReturnType<typeof openStorePod>>;

const pod = [
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: storeNamespace } },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'store', namespace: storeNamespace },
    spec: { selector, ports: [{ name: 'http', port: 8080 }] },
  },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'store', namespace: storeNamespace, labels: selector },
    spec: {
      automountServiceAccountToken: false,
      containers: [
        {
          ...scriptContainer('store', script),
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
        },
      ],
    },
  },
];

const secretStore = {
  apiVersion: 'external-secrets.io/v1',
  kind: storeReference.kind,
  metadata: { name: storeReference.name },
  spec: {
    provider: {
      webhook: { url: `${url}/{{ .remoteRef.key }}/{{ .remoteRef.property }}`, timeout: '5s' },
    },
  },
};
