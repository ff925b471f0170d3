/** Two cells of real services with stores of their own, and movers as processes. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresBusMigrations } from '@pto/bus';
import { readConfig } from '@pto/config';
import { migrate, uuidv7 } from '@pto/database';
import { repeatWhileHeld } from '@pto/moves';
import { LedgerService } from '@pto/proto/custody/v1/custody';
import { connectClient } from '@pto/rpc';
import { createTelemetry } from '@pto/telemetry';
import { makeAuthority, testDatabase, tlsEnvironment, tlsOf, until } from '@pto/testing';
import { settings as custodySettings } from '../../../custody/src/config.ts';
import { startCustody } from '../../../custody/src/service.ts';
import { anOrder, bodyOf, startOrdersService } from '../../../orders/test/orders-service.ts';
import { startReceiver } from '../../../webhooks/test/receiver.ts';
import { startReplica } from '../../../webhooks/test/webhooks-service.ts';
import { migrations } from '../../migrations/index.ts';
import { query } from '../operators-service.ts';

const ordersCustodyKeys = `k1:${Buffer.alloc(32, 11).toString('base64')}`;
const custodyWebhooksKeys = `k1:${Buffer.alloc(32, 12).toString('base64')}`;
const host = '127.0.0.1';
const main = new URL('../../src/main.ts', import.meta.url).pathname;

const startCell = async (
  name: string,
  given: Readonly<Record<string, string>>,
  ofCell: Readonly<Record<string, string>>,
) => {
  const bus = await testDatabase('bus');
  await migrate(bus.ownerUrl, postgresBusMigrations);
  const orders = await startOrdersService({ bus, environment: { ...given, ...ofCell } });
  const custodyDatabase = await testDatabase('custody');
  const folder = await mkdtemp(join(tmpdir(), 'custody-'));
  const custody = await startCustody(
    readConfig(custodySettings, {
      DATABASE_URL: custodyDatabase.serviceUrl,
      MIGRATION_DATABASE_URL: custodyDatabase.ownerUrl,
      BUS_DATABASE_URL: bus.serviceUrl,
      CUSTODY_LOG_ORIGIN: `log.test/${name}`,
      CUSTODY_SIGNING_KEYS: Buffer.alloc(32, name.length).toString('base64'),
      CUSTODY_ANCHOR_FILE: join(folder, 'anchor.jsonl'),
      CUSTODY_CHECKPOINT_INTERVAL: '100ms',
      ORDERS_CUSTODY_KEYS: ordersCustodyKeys,
      CUSTODY_WEBHOOKS_KEYS: custodyWebhooksKeys,
      ORDERS_URL: `https://${host}:${orders.service.connectPort}`,
      ...tlsEnvironment('custody'),
      ...{ BIND_HOST: host, GRPC_PORT: '0', CONNECT_PORT: '0' },
    }).settings,
    createTelemetry({ service: 'custody', write: () => {} }),
  );
  const webhooksDatabase = await testDatabase('webhooks');
  const webhooks = await startReplica({ database: webhooksDatabase, busDatabase: bus } as never, {
    CUSTODY_WEBHOOKS_KEYS: custodyWebhooksKeys,
    ...given,
    ...ofCell,
  });
  const urls = {
    orders: orders.database.ownerUrl,
    custody: custodyDatabase.ownerUrl,
    webhooks: webhooksDatabase.ownerUrl,
  };
  const superusers = {
    orders: orders.database.superuserUrl,
    custody: custodyDatabase.superuserUrl,
    webhooks: webhooksDatabase.superuserUrl,
  };
  return {
    orders,
    webhooks,
    urls,
    superusers,
    ledger: connectClient(LedgerService, {
      ...{ urls: [`https://${host}:${custody.connectPort}`], server: 'custody' },
      ...{ operator: 'An Operator', tls: tlsOf('operators') },
    } as never),
    stop: async () => {
      await webhooks.stop();
      await custody.stop();
      await orders.stop();
    },
  };
};

type Database = 'orders' | 'custody' | 'webhooks';
export type CellName = 'main' | 'north';

/** @param ofNorth settings of the cell `north` that differ. */
export const startTwoCells = async (ofNorth: Readonly<Record<string, string>> = {}) => {
  const authority = makeAuthority();
  const given = {
    ARTIFACTS_DIR: await mkdtemp(join(tmpdir(), 'artifacts-')),
    WEBHOOKS_CA_FILE: authority.caFile,
    WEBHOOKS_RETRY_WAITS: '1s,10s,10s,10s,10s',
  };
  const cells = {
    main: await startCell('main', given, {}),
    north: await startCell('north', given, ofNorth),
  };
  const access = await testDatabase('access');
  await migrate(access.ownerUrl, migrations);
  const movers: ChildProcess[] = [];
  const inEach = (database: Database) =>
    `main=${cells.main.urls[database]};north=${cells.north.urls[database]}`;
  const environment = {
    OPERATORS_ROLE: 'mover',
    DATABASE_URL: access.operatorsUrl,
    MOVER_ORDERS_URL: inEach('orders'),
    MOVER_CUSTODY_URL: inEach('custody'),
    MOVER_WEBHOOKS_URL: inEach('webhooks'),
    ...{ ADMIN_PORT: '0', BIND_HOST: host },
  };
  const sql = <Row extends object>(text: string, ...values: unknown[]) =>
    query<Row>(access.superuserUrl, text, values);
  const cellOf = async (id: string): Promise<CellName> => {
    const [row] = await sql<{ cell: CellName }>('select cell from organizations where id = $1', id);
    return row!.cell;
  };
  const logged: string[] = [];
  return {
    ...cells,
    authority,
    environment,
    logged,
    /** Runs a statement of `access`. */
    sql,
    /** Runs a statement in a database of a cell, whom no trigger stops. */
    inCell: <Row extends object>(
      cell: CellName,
      database: Database,
      text: string,
      ...values: unknown[]
    ) => query<Row>(cells[cell].superusers[database], text, values),
    cellOf,
    startMover: (): ChildProcess => {
      const mover = spawn(process.execPath, [main], {
        env: { PATH: process.env.PATH, ...environment } as never,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      for (const stream of [mover.stdout, mover.stderr])
        stream.on('data', (text) => logged.push(String(text)));
      movers.push(mover);
      return mover;
    },
    newOrganization: async (): Promise<string> => {
      const id = randomUUID();
      await sql(
        "insert into organizations (id, name, enabled, admins) values ($1, 'Clinic', true, '{}')",
        id,
      );
      return id;
    },
    /** Begins a move whose gateways know it already. */
    begin: async (id: string, target: CellName = 'north', more: object = {}): Promise<string> => {
      const source = await cellOf(id);
      const row = { phase: 'COPYING', ...more };
      const move = uuidv7();
      await sql(
        `insert into organization_moves (id, organization_id, source, target, phase, started_by, started_at)
         values ($1, $2, $3, $4, $5, 'An Operator', now() - interval '1 min')`,
        ...[move, id, source, target, row.phase],
      );
      await sql('update organizations set is_moving = true where id = $1', id);
      return move;
    },
    moveOf: async (id: string) => {
      const [row] = await sql<Record<string, never> & { phase: string; failure: string | null }>(
        'select * from organization_moves where organization_id = $1 order by id desc limit 1',
        id,
      );
      return row!;
    },
    whenPhase: (id: string, ...phases: string[]) =>
      until(
        async () => {
          const [row] = await sql<{ phase: string; failure: string | null; held_ms: number }>(
            'select * from organization_moves where organization_id = $1 order by id desc limit 1',
            id,
          );
          return phases.includes(row!.phase) && row!;
        },
        { what: `the phase ${phases} (${logged.slice(-3).join('')})`, deadlineMs: 60_000 },
      ),
    /** Ends the time in which the source keeps its rows, and that of a pause. */
    hurry: (id: string) =>
      sql(
        "update organization_moves set next_try_at = '-infinity' where organization_id = $1 and ended_at is null",
        id,
      ),
    receiver: (answer: Parameters<typeof startReceiver>[1] = {}) =>
      startReceiver(authority, answer),
    /** Sends a call as the gateway does: to the organization's cell, again while it is held. */
    call: <Response>(id: string, send: (cell: (typeof cells)[CellName]) => Promise<Response>) =>
      repeatWhileHeld(performance.now() + 9750, async () => send(cells[await cellOf(id)])),
    stop: async () => {
      for (const mover of movers) {
        mover.kill('SIGCONT');
        mover.kill('SIGKILL');
      }
      await Promise.all([cells.main.stop(), cells.north.stop()]);
      authority.forget();
    },
  };
};

export type TwoCells = Awaited<ReturnType<typeof startTwoCells>>;

/** Creates an order, and takes it to ACCEPTED as its operators do. @returns its id. */
export const placeOrder = async (
  cells: TwoCells,
  organizationId: string,
  externalId: string = randomUUID(),
): Promise<string> => {
  const request = anOrder({ organizationId, externalId });
  const { id } = bodyOf(
    await cells.call(organizationId, (cell) => cell.orders.orders.createOrder(request)),
  );
  const next = () => ({ orderId: id, commandId: randomUUID() });
  const [assigned, accepted] = [next(), next()];
  await cells.call(organizationId, (cell) =>
    cell.orders.commands.assignOrder({
      ...{ circumstances: assigned, transportOrganization: 'T', carrierId: randomUUID() },
    }),
  );
  await cells.call(organizationId, (cell) =>
    cell.orders.commands.acceptOrder({ circumstances: accepted }),
  );
  return id;
};

/** Waits until each event of the organization is an entry with a leaf, and orders knows it. */
export const settled = async (cells: TwoCells, organizationId: string): Promise<void> => {
  const cell = await cells.cellOf(organizationId);
  const count = (database: Database, text: string) =>
    cells.inCell<{ n: number }>(
      cell,
      database,
      `select count(*)::int as n ${text}`,
      organizationId,
    );
  await until(
    async () => {
      const [unreported] = await count(
        'orders',
        'from unreported_events where organization_id = $1',
      );
      const [queued] = await count(
        'custody',
        'from log_queue join chains using (order_id) where organization_id = $1',
      );
      return unreported!.n + queued!.n === 0;
    },
    { what: 'the entries', deadlineMs: 30_000 },
  );
};

const tables: Readonly<Record<Database, readonly string[]>> = {
  orders: [
    ...['orders', 'locations', 'idempotency', 'done_commands', 'produced_events', 'disclosures'],
    ...['entry_operators', 'artifacts', 'moved_orders'],
  ],
  custody: ['chains', 'log_leaves'],
  webhooks: [
    ...['endpoints', 'endpoint_secrets', 'endpoint_sequences', 'events', 'deliveries', 'attempts'],
    ...['pending_deliveries', 'quarantined_deliveries'],
  ],
};

/** All rows of an organization in a cell as PostgreSQL prints them, without what a cell numbers. */
export const rowsIn = async (cells: TwoCells, cell: CellName, organizationId: string) => {
  const found: Record<string, string[]> = {};
  for (const [database, names] of Object.entries(tables))
    for (const name of names) {
      const rows = await cells.inCell<{ row: string }>(
        cell,
        database as Database,
        `select (to_jsonb(t) - '{leaf_index,position,paused}'::text[])::text as row from ${name} t
         where organization_id = $1 order by 1`,
        organizationId,
      );
      found[name] = rows.map(({ row }) => row);
    }
  return found;
};
