/** The release of a drill, and what it stands on: its stores, and the partners it sends events to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityFiles, issueIdentities } from '@pto/authority';
import { type Cluster, namespace } from './cluster.ts';

/** Tags of the images on the nodes: of this checkout, and of the earlier release. */
export const tags = { present: 'dev', earlier: 'earlier' } as const;
const receiverDays = 30;

/** Pods that act as partners; each has a Service of its name, by which webhooks reaches it. */
const partnerNames = ['partner', 'partner-of-cell'] as const;
export type PartnerName = (typeof partnerNames)[number];

/** Complete names, because webhooks looks names up without the pods' search list. */
export const receiverHost = (name: PartnerName) => `${name}.${namespace}.svc.cluster.local`;

/**
 * Creates what the release stands on: the namespace, the stores, the partners' addresses.
 * @param isNew whether what was there before is deleted.
 */
export const openStores = async (on: Cluster, isNew = false): Promise<void> => {
  if (isNew) await on.run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found']);
  await on.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const installed = await on.run('helm', [...on.where, 'list', '--short', '--deployed']);
  if (!installed.split('\n').includes('stores'))
    await on.run('helm', [
      ...[...on.where, 'install', 'stores', 'deploy/helm/local-stores'],
      ...['--wait', '--timeout', '300s'],
    ]);
  const found = await on.kubectl('get', 'secrets', '-o', 'name');
  if (!found.split('\n').includes('secret/partner-tls')) await createPartners(on);
};

/** Certificates of the partners' endpoints, and the Services. */
const createPartners = async (on: Cluster): Promise<void> => {
  const folder = join(on.bed.folder, 'certificates');
  issueIdentities(folder, { receiver: partnerNames.map(receiverHost) }, receiverDays);
  const { caFile, certFile, keyFile } = identityFiles(folder, 'receiver');
  const secrets = {
    'partner-ca': { 'ca.crt': caFile },
    'partner-tls': { 'tls.crt': certFile, 'tls.key': keyFile, 'ca.crt': caFile },
  };
  for (const [name, files] of Object.entries(secrets)) {
    const from = Object.entries(files).map(([key, path]) => `--from-file=${key}=${path}`);
    await on.kubectl('create', 'secret', 'generic', name, ...from);
  }
  await on.apply(
    ...partnerNames.map((name) => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name, labels: { 'partner-api/receiver': 'true' } },
      spec: { selector: { 'partner-api/name': name }, ports: [{ name: 'https', port: 8443 }] },
    })),
  );
};

/** Charts and images of one release, and values over those of environments/local.yaml. */
interface ReleaseChoice {
  /** Checkout of the charts; this one by default. */
  readonly from?: string;
  readonly tag?: string;
  /** Names of files of deploy/helm/environments over local.yaml. */
  readonly environments?: readonly string[];
  /** Values over all files. */
  readonly values?: object;
}

/** Installs or upgrades the release of a namespace. Helm ends when its pods are ready. */
export const upgradeRelease = async (
  on: Cluster,
  { from = '.', tag = tags.present, environments = [], values = {} }: ReleaseChoice = {},
): Promise<void> => {
  const path = '-o=jsonpath={.items[*].spec.clusterIP}';
  const receivers = ['get', 'services', '-l', 'partner-api/receiver=true', path];
  const addresses = await on.run('kubectl', ['--namespace', namespace, ...receivers]);
  const [own, over] = [join(on.bed.folder, 'own.json'), join(on.bed.folder, 'over.json')];
  writeFileSync(own, JSON.stringify(ownValues(addresses.split(' '))));
  writeFileSync(over, JSON.stringify(values));
  const files = ['local', ...environments]
    .map((name) => join(from, `deploy/helm/environments/${name}.yaml`))
    .concat(own, over)
    .flatMap((file) => ['-f', file]);
  await on.run('helm', [
    ...[...on.where, 'upgrade', '--install', 'partner-api', join(from, 'deploy/helm/partner-api')],
    ...[...files, '--set', `global.image.tag=${tag}`, ...(await issuer(on))],
    ...['--wait', '--timeout', '300s'],
  ]);
};

/** cert-manager issues the certificates if the stores' chart has found it. */
const issuer = async (on: Cluster): Promise<readonly string[]> => {
  const group = await on.kubectl('api-resources', '--api-group=cert-manager.io', '-o', 'name');
  if (group.trim() === '') return [];
  const words = ['issuer/partner-api', '--ignore-not-found', '-o', 'name'];
  if ((await on.kubectl('get', ...words)).trim() === '') return [];
  const reference = { kind: 'Issuer', name: 'partner-api', group: 'cert-manager.io' };
  return ['--set-json', `global.tls.issuer=${JSON.stringify(reference)}`];
};

/** Webhooks may reach the partners' pods, and trusts their authority. */
const ownValues = (addresses: readonly string[]) => {
  const at = {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    podSelector: { matchLabels: { 'partner-api/receiver': 'true' } },
  };
  const env = {
    WEBHOOKS_CA_FILE: '/partner-ca/ca.crt',
    WEBHOOKS_EGRESS_ALLOW: addresses.map((address) => `${address}/32`).join(','),
    WEBHOOKS_RETRY_WAITS: '500ms,1s,2s,5s,10s',
  };
  return {
    global: { peers: { world: { port: 0, at: [at] } } },
    webhooks: { files: { 'partner-ca': '/partner-ca' }, env },
  };
};
