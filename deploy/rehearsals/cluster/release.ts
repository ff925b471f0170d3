import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';
import { type Cluster, namespace, where } from './cluster.ts';

/** Tags of the images on the nodes: of this checkout, and of the earlier release. */
export const tags = { present: 'dev', earlier: 'earlier' } as const;

/** Charts and images of one release, and values over those of environments/local.yaml. */
export interface ReleaseChoice {
  /** Checkout of the charts; this one by default. */
  readonly from?: string;
  readonly tag?: string;
  /** Names of files of deploy/helm/environments over local.yaml. */
  readonly environments?: readonly string[];
  /** Words for Helm, after all others. */
  readonly settings?: readonly string[];
  /** Values over all files. */
  readonly values?: object;
  /** Ends Helm as Ctrl-C does. */
  readonly interrupt?: AbortSignal;
}

/** Installs or upgrades the release of a namespace. Helm ends when its pods are ready. */
export const upgradeRelease = async (
  on: Cluster,
  stage: Stage,
  {
    from = '.',
    tag = tags.present,
    environments = [],
    settings = [],
    values: more = {},
    interrupt,
  }: ReleaseChoice = {},
): Promise<void> => {
  const path = '-o=jsonpath={.items[*].spec.clusterIP}';
  const receivers = ['get', 'services', '-l', 'partner-api/receiver=true', path];
  const addresses = await on.run('kubectl', [...where, ...receivers]);
  const [own, over] = [join(stage.folder, 'own.json'), join(stage.folder, 'over.json')];
  writeFileSync(own, JSON.stringify(ownValues(addresses.split(' '))));
  writeFileSync(over, JSON.stringify(more));
  const words = ['upgrade', '--install', 'partner-api', join(from, 'deploy/helm/partner-api')];
  const given = ['local', ...environments].map((name) =>
    join(from, `deploy/helm/environments/${name}.yaml`),
  );
  const files = [...given, own, over].flatMap((file) => ['-f', file]);
  const image = ['--set', `global.image.tag=${tag}`];
  const wait = [...(await issuer(on)), '--wait', '--timeout', '300s'];
  await on.run('helm', [...on.where, ...words, ...files, ...image, ...wait, ...settings], {
    interrupt,
  });
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
const ownValues = (addresses: readonly string[]) => ({
  global: {
    peers: {
      world: {
        port: 0,
        at: [
          {
            namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
            podSelector: { matchLabels: { 'partner-api/receiver': 'true' } },
          },
        ],
      },
    },
  },
  webhooks: {
    files: { 'partner-ca': '/partner-ca' },
    env: {
      WEBHOOKS_CA_FILE: '/partner-ca/ca.crt',
      WEBHOOKS_EGRESS_ALLOW: addresses.map((address) => `${address}/32`).join(','),
      WEBHOOKS_RETRY_WAITS: '500ms,1s,2s,5s,10s',
    },
  },
});
