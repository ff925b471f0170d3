/** What the release of a further cell stands on: stores of its own, and what it shares with the first. */
import type { Cluster, Values } from './cluster.ts';

/** Keys that the organizations of all cells need (docs/operators/growth.md#add-a-cell). */
const sharedKeys = ['cursor', 'artifacts', 'sealing'];

/** Creates the namespace of a cell, with the stores' chart, keys and authority of the first release. */
export const openCellStores = async (first: Cluster, cell: Cluster): Promise<void> => {
  await cell.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: cell.namespace } });
  const passwords = await first.secret('local-passwords');
  const shared = sharedKeys.map((name) => [name, passwords[name]!]);
  await cell.apply(
    ofStores(cell, 'local-authority', await first.secret('local-authority'), 'kubernetes.io/tls'),
    ofStores(cell, 'local-passwords', Object.fromEntries(shared)),
    secretOf('partner-ca', await first.secret('partner-ca')),
  );
  await cell.run('helm', [
    ...[...cell.where, 'install', 'stores', 'deploy/helm/local-stores'],
    ...['--set', `firstNamespace=${first.namespace}`, '--wait', '--timeout', '300s'],
  ]);
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

/** Deletes the cell with all that it has. */
export const removeCell = async (cell: Cluster): Promise<void> => {
  await cell.run('kubectl', ['delete', 'namespace', cell.namespace, '--ignore-not-found']);
};
