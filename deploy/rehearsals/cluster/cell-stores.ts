/** What the release of a further cell stands on: stores of its own, and what it shares with the first. */
import type { Cluster } from './cluster.ts';
import { readSecret, type Values } from './secret-change.ts';

/** Claim of the volume that the orders of both cells have their files on. */
export const sharedArtifacts = 'shared-artifacts';

/** Keys that the organizations of all cells need (docs/operators/growth.md#add-a-cell). */
const sharedKeys = ['cursor', 'artifacts', 'sealing'];

/**
 * Creates the namespace of a cell, with the stores' chart, keys and authority of the first release,
 * and its volume of artifacts.
 */
export const openCellStores = async (first: Cluster, cell: Cluster): Promise<void> => {
  await cell.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: cell.namespace } });
  const passwords = await readSecret(first, 'local-passwords');
  const shared = sharedKeys.map((name) => [name, passwords[name]!]);
  await cell.apply(
    ofStores(
      cell,
      'local-authority',
      await readSecret(first, 'local-authority'),
      'kubernetes.io/tls',
    ),
    ofStores(cell, 'local-passwords', Object.fromEntries(shared)),
    secretOf('partner-ca', await readSecret(first, 'partner-ca')),
  );
  await cell.run('helm', [
    ...[...cell.where, 'install', 'stores', 'deploy/helm/local-stores'],
    ...['--set', `firstNamespace=${first.namespace}`, '--wait', '--timeout', '300s'],
  ]);
  await shareArtifacts(first, cell);
};

const secretOf = (name: string, stringData: Values, type = 'Opaque') => ({
  ...{ apiVersion: 'v1', kind: 'Secret', type, stringData },
  metadata: { name },
});

/** A Secret that Helm takes for one of the release of the stores, which does not exist yet. */
const ofStores = (cell: Cluster, name: string, values: Values, type?: string) => ({
  ...secretOf(name, values, type),
  metadata: {
    name,
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: {
      'meta.helm.sh/release-name': 'stores',
      'meta.helm.sh/release-namespace': cell.namespace,
    },
  },
});

const volumeOf = (cell: Cluster): string => `${cell.namespace}-artifacts`;

/** Gives a claim of the cell the volume of the first release's. A claim is of one namespace. */
const shareArtifacts = async (first: Cluster, cell: Cluster): Promise<void> => {
  const claim = JSON.parse(await first.look('get', 'pvc', 'orders-artifacts', '-o', 'json')).spec;
  const volume = JSON.parse(await first.look('get', 'pv', claim.volumeName, '-o', 'json')).spec;
  const name = volumeOf(cell);
  await cell.apply(
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name },
      spec: {
        ...volume,
        storageClassName: '',
        persistentVolumeReclaimPolicy: 'Retain',
        claimRef: { namespace: cell.namespace, name: sharedArtifacts },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: sharedArtifacts },
      spec: {
        ...{ accessModes: claim.accessModes, resources: claim.resources },
        ...{ storageClassName: '', volumeName: name },
      },
    },
  );
};

/** Deletes the cell with all that it has. */
export const removeCell = async (cell: Cluster): Promise<void> => {
  await cell.run('kubectl', ['delete', 'namespace', cell.namespace, '--ignore-not-found']);
  await cell.run('kubectl', ['delete', 'pv', volumeOf(cell), '--ignore-not-found']);
};
