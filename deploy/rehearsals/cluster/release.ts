import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stage } from '../stage/rehearsal.ts';
import { type Cluster, where } from './cluster.ts';

/** Tags of the images on the nodes: of this checkout, and of the earlier release. */
export const tags = { present: 'dev', earlier: 'earlier' } as const;

/** Charts and images of one release, and values over those of environments/local.yaml. */
export interface ReleaseChoice {
  /** Checkout of the charts; this one by default. */
  readonly from?: string;
  readonly tag?: string;
  /** Words for Helm, after all others. */
  readonly settings?: readonly string[];
  /** Values over all files. */
  readonly values?: object;
}

/** Installs or upgrades the release. Helm ends when its pods are ready. */
export const upgradeRelease = async (
  on: Cluster,
  stage: Stage,
  { from = '.', tag = tags.present, settings = [], values: more = {} }: ReleaseChoice = {},
): Promise<void> => {
  const path = '-o=jsonpath={.items[*].spec.clusterIP}';
  const addresses = await on.kubectl('get', 'services', '-l', 'partner-api/receiver=true', path);
  const [own, over] = [join(stage.folder, 'own.json'), join(stage.folder, 'over.json')];
  writeFileSync(own, JSON.stringify(ownValues(addresses.split(' '))));
  writeFileSync(over, JSON.stringify(more));
  const words = ['upgrade', '--install', 'partner-api', join(from, 'deploy/helm/partner-api')];
  const local = join(from, 'deploy/helm/environments/local.yaml');
  const files = [local, own, over].flatMap((file) => ['-f', file]);
  const image = ['--set', `global.image.tag=${tag}`];
  await on.run('helm', [
    ...[...where, ...words, ...files, ...image],
    ...[...(await issuer(on)), '--wait', '--timeout', '300s', ...settings],
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
const ownValues = (addresses: readonly string[]) => ({
  global: {
    peers: {
      world: {
        port: 0,
        at: [{ podSelector: { matchLabels: { 'partner-api/receiver': 'true' } } }],
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
