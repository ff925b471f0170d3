import assert from 'node:assert/strict';
import { until } from '@pto/testing';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { asAdministrator } from './administrator.ts';
import { openCellStores, removeCell, sharedArtifacts } from './cell-stores.ts';
import { type Cluster, namespace, openCluster } from './cluster.ts';
import { type Connection, requireAccepted, requireRejected } from './connections.ts';
import { type Operator, openOperator } from './operator.ts';
import { byService, startPartner } from './partner-pod.ts';
import { upgradeRelease } from './release.ts';
import { fileOf } from './secret-change.ts';
import { openStores } from './stores.ts';

const name = 'north';
const cells = ['main', name];
const endedWithinMs = 60_000;
/** After each order of a partner. */
const pauseMs = 500;

/** docs/operators/growth.md#add-a-cell, and an organization moves to the cell. */
export const clusterCell: Rehearsal = {
  name: 'cluster-cell',
  summary:
    'a release gets a further cell under load, an organization is created in it, another one moves to it',
  run: async (stage) => {
    const first = await openCluster(stage);
    const cell = await openCluster(stage, `${namespace}-${name}`);
    await stage.step('the first release', async () => {
      // organizations of a cell that is gone would be in its database
      await removeCell(cell);
      await first.run('kubectl', ['delete', 'namespace', namespace, '--ignore-not-found']);
      await openStores(first, stage);
      await upgradeRelease(first, stage, { values: fewProcesses });
    });
    await stage.step('stores and release of the cell', async () => {
      stage.atEnd(() => removeCell(cell));
      await openCellStores(first, cell);
      await upgradeRelease(cell, stage, { environments: ['cell'], values: valuesOfCell });
    });
    // from here on: the cell's pods start on the only node, and nothing of the first release changes
    const operator = await openOperator(stage);
    const moving = await startPartner(stage, first, operator, { ...byService, cells });
    await moving.closedIn(1);
    await moving.changeLanes(1, pauseMs);

    await stage.step('gateway and operators service get to know the cell', async () => {
      const values = { ...fewProcesses, global: { cells: { [name]: cell.namespace } } };
      await upgradeRelease(first, stage, { values });
      await operator('status', '--cell', name);
      await moving.closedIn(5);
    });
    await stage.step('the network lets through what leads from cell to gateway and back', () =>
      requireAccepted(accepted(first, cell)),
    );
    await stage.step('the network rejects what leads from one cell into the other', () =>
      requireRejected(rejected(first, cell)),
    );

    const created = await stage.step('a partner of an organization of the cell works', async () => {
      const entry = { ...byService, name: 'partner-by-route', cell: name, cells } as const;
      const partner = await startPartner(stage, first, operator, entry);
      assert.equal(await cellOf(operator, partner.organization), name);
      await partner.closedIn(1);
      await partner.changeLanes(1, pauseMs);
      return partner;
    });
    await stage.step('an organization moves to the cell while its partner works', async () => {
      const id = moving.organization;
      const moved = await operator('org', 'move', id, '--to', name);
      stage.note(
        `  ${moved.copied_rows} rows in ${moved.copies} copies; changes waited ${moved.held_ms} ms`,
      );
      assert.equal(await cellOf(operator, id), name);
      await moving.closedIn(5);
    });
    await stage.step('its first cell deletes the rows of the organization', async () => {
      await retire(first, operator, moving.organization);
      await moving.closedIn(5);
      await created.closedIn(5);
    });

    await stage.step('no request failed, no event is lost, none came twice', async () => {
      await moving.requireSound();
      await created.requireSound();
    });
  },
};

/**
 * For two cells on one node: one process of each, but of gateway and operators service, which are
 * replaced under load.
 */
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
  orders: { replicas: 1, persistence: { artifacts: { claim: sharedArtifacts } } },
};

const cellOf = async (operator: Operator, id: string): Promise<string> =>
  (await operator('org', 'show', id)).cell;

/** Those of the architecture, and one for each Service that the other list names. */
const accepted = (first: Cluster, cell: Cluster): Connection[] => [
  { from: [first, 'gateway'], to: [cell, 'orders-headless', 50_051] },
  { from: [first, 'gateway'], to: [cell, 'courier-headless', 50_051] },
  { from: [first, 'operators'], to: [cell, 'orders', 8081] },
  { from: [first, 'operators'], to: [cell, 'custody', 8081] },
  { from: [cell, 'webhooks'], to: [first, 'operators', 8081] },
  { from: [first, 'custody'], to: [first, 'orders', 8081] },
  { from: [cell, 'custody'], to: [cell, 'orders', 8081] },
  { from: [first, 'gateway'], to: [first, 'redis', 6379] },
  { from: [first, 'orders'], to: [first, 'postgres', 5432] },
];

const rejected = (first: Cluster, cell: Cluster): Connection[] => [
  { from: [cell, 'custody'], to: [first, 'orders', 8081] },
  { from: [first, 'custody'], to: [cell, 'orders', 8081] },
  { from: [cell, 'orders'], to: [first, 'operators', 8081] },
  { from: [first, 'gateway'], to: [cell, 'custody', 8081] },
  { from: [cell, 'webhooks'], to: [first, 'redis', 6379] },
  { from: [cell, 'orders'], to: [first, 'postgres', 5432] },
];

/** The source keeps its rows for 5 min, for calls that began before the switch; not here. */
const retire = async (first: Cluster, operator: Operator, id: string): Promise<void> => {
  const url = await fileOf(first, 'access-owner', 'ADMIN_DATABASE_URL');
  const now = `update organization_moves set next_try_at = '-infinity' where organization_id = '${id}'`;
  await asAdministrator(url, now, 'access');
  await until(
    async () => {
      const [newest] = await operator('org', 'moves', id);
      return newest.phase === 'MOVED';
    },
    { deadlineMs: endedWithinMs, what: 'the end of the move' },
  );
};
