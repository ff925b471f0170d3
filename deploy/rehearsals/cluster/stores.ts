/** What the release stands on: its stores, and the partners that it sends events to. */
import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import type { Stage } from '../stage/rehearsal.ts';
import { type Cluster, namespace, where } from './cluster.ts';

const receiverDays = 30;

/** Pods that act as partners; each has a Service of its name, by which webhooks reaches it. */
export const partnerNames = ['partner', 'partner-by-route'] as const;
export type PartnerName = (typeof partnerNames)[number];

/** Complete names, because webhooks looks names up without the pods' search list. */
export const receiverHost = (name: PartnerName) => `${name}.${namespace}.svc.cluster.local`;

/** Names of the API outside of the cluster: by the Ingress, and by the HTTPRoute. */
export const publicHosts = {
  ingress: 'api.rehearsal.test',
  route: 'route.rehearsal.test',
} as const;

/** Creates what the release stands on: the namespace, the stores, the partners' addresses. */
export const openStores = async (on: Cluster, stage: Stage): Promise<void> => {
  await on.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const installed = await on.run('helm', [...where, 'list', '--short', '--deployed']);
  if (!installed.split('\n').includes('stores'))
    await on.run('helm', [
      ...[...where, 'install', 'stores', 'deploy/helm/local-stores'],
      ...['--wait', '--timeout', '300s'],
    ]);
  const found = await on.kubectl('get', 'secrets', '-o', 'name');
  if (!found.split('\n').includes('secret/gateway-public-tls')) await createPartners(on, stage);
};

/** Certificates of the partners' endpoints and of the API's public names, and the Services. */
const createPartners = async (on: Cluster, stage: Stage): Promise<void> => {
  const folder = join(stage.folder, 'certificates');
  const names = { receiver: partnerNames.map(receiverHost), public: Object.values(publicHosts) };
  issueIdentities(folder, names, receiverDays);
  const receiver = identityFiles(folder, 'receiver');
  const entry = identityFiles(folder, 'public');
  const secret = async (kind: string, name: string, ...words: readonly string[]) => {
    await on.run('kubectl', [...where, 'create', 'secret', kind, name, ...words], {
      shown: `kubectl create secret ${kind} ${name}`,
    });
  };
  const file = (name: string, path: string) => `--from-file=${name}=${path}`;
  await on.apply(
    ...partnerNames.map((name) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels: { 'partner-api/receiver': 'true' } },
      spec: { selector: { 'partner-api/name': name }, ports: [{ name: 'https', port: 8443 }] },
    })),
  );
  await secret('generic', 'partner-ca', file('ca.crt', receiver.caFile));
  await secret(
    ...(['generic', 'partner-tls'] as const),
    ...[file('tls.crt', receiver.certFile), file('tls.key', receiver.keyFile)],
    file('ca.crt', receiver.caFile),
  );
  const publicTls = [`--cert=${entry.certFile}`, `--key=${entry.keyFile}`];
  await secret('tls', 'gateway-public-tls', ...publicTls);
};
