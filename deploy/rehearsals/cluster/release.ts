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
  readonly settings?: readonly string[];
}

/** Installs or upgrades the release. Helm ends when its pods are ready. */
export const upgradeRelease = async (
  on: Cluster,
  stage: Stage,
  { from = '.', tag = tags.present, settings = [] }: ReleaseChoice = {},
): Promise<void> => {
  const path = '-o=jsonpath={.items[*].spec.clusterIP}';
  const addresses = await on.kubectl('get', 'services', '-l', 'partner-api/receiver=true', path);
  const values = join(stage.folder, 'rehearsal-values.json');
  writeFileSync(values, JSON.stringify(ownValues(addresses.split(' '))));
  const words = ['upgrade', '--install', 'partner-api', join(from, 'deploy/helm/partner-api')];
  const files = ['-f', join(from, 'deploy/helm/environments/local.yaml'), '-f', values];
  const image = ['--set', `global.image.tag=${tag}`];
  await on.run('helm', [
    ...[...where, ...words, ...files, ...image],
    ...[...settings, '--wait', '--timeout', '300s'],
  ]);
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
