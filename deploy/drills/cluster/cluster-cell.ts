import assert from 'node:assert/strict';
import type { Drill } from '../drill.ts';
import { openCellStores, removeCell } from './cell-stores.ts';
import { namespace, openCluster } from './cluster.ts';
import { connect, connections, rejections } from './connections.ts';
import { openOperator } from './operator.ts';
import { startPartner } from './partner-pod.ts';
import { openStores, upgradeRelease } from './release.ts';

const name = 'north';

/** docs/operators/growth.md#add-a-cell */
export const clusterCell: Drill = {
  name: 'cluster-cell',
  summary: 'a release gets a further cell under load; the network keeps the cells apart',
  run: async (bed) => {
    const first = await openCluster(bed);
    const cell = await openCluster(bed, `${namespace}-${name}`);
    await bed.step('the first release', async () => {
      // organizations of a cell that is gone would be in its database
      await removeCell(cell);
      await openStores(first, true);
      await upgradeRelease(first, { values: fewProcesses });
    });
    await bed.step('stores and release of the cell', async () => {
      bed.atEnd(() => removeCell(cell));
      await openCellStores(first, cell);
      await upgradeRelease(cell, { environments: ['cell'], values: valuesOfCell });
    });
    // from here on: the cell's pods start on the only node, and nothing of the first release changes
    const operator = await openOperator(first);
    const partner = await startPartner(first, operator, { cell: 'main', lanes: 1, paceMs: 500 });
    await bed.step('gateway and operators service get to know the cell', async () => {
      const values = { ...fewProcesses, global: { cells: { [name]: cell.namespace } } };
      await upgradeRelease(first, { values });
      await operator('status', '--cell', name);
      await partner.closedIn(5);
    });
    await bed.step('connections of the architecture are accepted, others rejected', async () => {
      const at = { first, cell };
      for (const [from, process, to, service, port, isAccepted] of connections) {
        const outcome = await connect(at[from], process, at[to], service, port);
        const expected = isAccepted ? ['connected'] : rejections;
        assert.ok(expected.includes(outcome), `${from}/${process} to ${to}/${service}: ${outcome}`);
      }
    });
    await bed.step('a partner of an organization of the cell works', async () => {
      const choice = { name: 'partner-of-cell', cell: name, lanes: 1, paceMs: 500 } as const;
      const other = await startPartner(first, operator, choice);
      assert.equal((await operator('org', 'show', other.organization)).cell, name);
      await other.requireSound();
    });
    await bed.step('no request failed, no event is lost, none came twice', partner.requireSound);
  },
};

/** For two cells on one node: one process of each, but of those that are replaced under load. */
const fewProcesses = {
  console: { enabled: false },
  ...Object.fromEntries(
    ['orders', 'custody', 'webhooks', 'courier'].map((process) => [process, { replicas: 1 }]),
  ),
};

const valuesOfCell = {
  ...fewProcesses,
  global: {
    firstNamespace: namespace,
    logOrigin: `localhost/${name}/custody`,
    // one user at Kafka and a volume as anchor, as local.yaml has it
    kafka: {
      topicPrefix: `${name}.`,
      users: { orders: '', custody: '', webhooks: '', topics: '' },
    },
    anchor: { bucket: '' },
  },
};
