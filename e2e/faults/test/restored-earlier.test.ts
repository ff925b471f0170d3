/**
 * One database goes back to an earlier moment while the others stay, as after a failover to a standby
 * that lacks the last commits. Nothing is restarted and no offset is reset by hand.
 *
 * | Database | Expected |
 * |---|---|
 * | `webhooks` | the events since then are dispatched again from the bus: each reaches the receiver, and the streams have no gap in the database |
 * | `access` | keys issued since then are unknown (401); keys revoked since then work again |
 * | `custody` | fewer leaves than were signed: the log halts, no smaller checkpoint is published, nothing is appended, and the auditor reports the violation; orders are taken |
 * | `orders` | orders that were created since then are 404; the auditor and `ledger verify` report them; other orders go on |
 */

import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type pg from 'pg';
import { asSuperuser, type DatabaseName } from '../../as-superuser.ts';
import { createOrder } from '../../load.ts';
import { settled } from '../../local-stack.ts';
import { metric } from '../../metric.ts';
import { operator } from '../../operator.ts';
import { partner } from '../../partner.ts';
import { expectDelivered, expectWholeLives } from '../../proof.ts';
import { drained, stackUnderTest } from '../stack.ts';

const deadlineMs = 60_000;

const stack = stackUnderTest({ forEachTest: true });

/* An earlier state of one database, as a standby that lacks the last commits or a backup has it. */
const copyOf = (database: DatabaseName): string => `${database}_earlier`;

const endSessions = (client: pg.Client, database: string): Promise<unknown> =>
  client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
    database,
  ]);

/** Copies the database as it is now. Its sessions are ended; services connect again by themselves. */
const takeSnapshot = (database: DatabaseName): Promise<void> =>
  asSuperuser(stack.mesh, 'postgres', async (client) => {
    await client.query(`alter database ${database} allow_connections false`);
    try {
      await until(
        async () => {
          await endSessions(client, database);
          await client.query(`create database ${copyOf(database)} template ${database}`);
          return true;
        },
        { what: `a copy of ${database}` },
      );
    } finally {
      await client.query(`alter database ${database} allow_connections true`);
    }
  });

/** Puts the copy in the database's place, in one moment for the services: a failover that loses commits. */
const restoreSnapshot = (database: DatabaseName): Promise<void> =>
  asSuperuser(stack.mesh, 'postgres', async (client) => {
    const { rows } = await client.query<{ owner: string; acl: string[] }>(
      `select pg_get_userbyid(datdba) as owner,
         array(select pg_get_userbyid(grantee)::text from aclexplode(datacl)
           where privilege_type = 'CONNECT') as acl
       from pg_database where datname = $1`,
      [database],
    );
    const { owner, acl } = rows[0]!;
    const copy = copyOf(database);
    await client.query(`alter database ${copy} owner to ${owner}`);
    await client.query(`revoke all on database ${copy} from public`);
    await client.query(`grant connect on database ${copy} to ${acl.join(', ')}`);
    await client.query(`drop database ${database} with (force)`);
    await client.query(`alter database ${copy} rename to ${database}`);
  });

/** Runs `between` from the copy of the database to its return. */
const losing = async (database: DatabaseName, between: () => Promise<void>): Promise<void> => {
  await drained(stack.mesh);
  await takeSnapshot(database);
  await settled(stack.mesh);
  await between();
  await restoreSnapshot(database);
  await settled(stack.mesh);
};

test('webhooks dispatches the events again that its database has lost', async () => {
  const ids = [await stack.live('before')];
  await expectDelivered(stack.receiver, ids);
  await losing('webhooks', async () => {
    ids.push(await stack.live('lost'));
    await expectDelivered(stack.receiver, ids);
    await drained(stack.mesh);
    stack.receiver.received.splice(0);
  });
  ids.push(await stack.live('after'));
  await expectDelivered(stack.receiver, ids.slice(1));
  await asSuperuser(stack.mesh, 'webhooks', async (client) => {
    const { rows } = await client.query(
      'select count(*)::int as count, max(sequence)::int as last from deliveries',
    );
    expect(rows).toEqual([{ count: ids.length * 9, last: ids.length * 9 }]);
  });
  expect(await operator(stack.mesh, 'dlq', 'list')).toMatchObject({ code: 0, json: [] });
  await expectWholeLives(stack.mesh, ids);
});

test('access forgets keys that were issued and revocations that were made since', async () => {
  const { id: org } = stack.mesh.file().organizations[0]!;
  const issue = async () =>
    (
      await operator(
        stack.mesh,
        'key',
        'issue',
        '--org',
        org,
        '--scopes',
        'orders:read',
        '--name',
        'k',
      )
    ).json as { id: string; key: string };
  const revoked = await issue();
  const issued: { key: string }[] = [];
  await losing('access', async () => {
    issued.push(await issue());
    expect((await operator(stack.mesh, 'key', 'revoke', revoked.id)).code).toBe(0);
    await until(async () => (await partner(stack.mesh, revoked.key).get('/ping')).status === 401, {
      what: 'the revocation',
      deadlineMs,
    });
  });
  const status = async (secret: string) => (await partner(stack.mesh, secret).get('/ping')).status;
  await until(async () => (await status(issued[0]!.key)) === 401, { what: '401', deadlineMs });
  await until(async () => (await status(revoked.key)) === 200, { what: '200', deadlineMs });
});

const publicSize = async (): Promise<number> => {
  const origin = new URL(stack.mesh.file().gateways[0]!).origin;
  const text = await (await fetch(`${origin}/custody/checkpoint`)).text();
  return Number(text.split('\n')[1]);
};

test('custody signs nothing after its database went back, and orders are taken', async () => {
  const kept = await stack.live('before');
  await until(async () => (await publicSize()) === 9, { what: 'a checkpoint', deadlineMs });
  await losing('custody', async () => {
    await stack.live('lost');
    await until(async () => (await publicSize()) === 18, { what: 'a checkpoint', deadlineMs });
  });
  await until(async () => (await metric(stack.mesh, 'custody', 'custody_log_halted')) === 1, {
    what: 'the log to halt',
    deadlineMs,
  });
  const signed = await publicSize();
  const taken = await createOrder(stack.mesh, 'after');
  await until(async () => ((await metric(stack.mesh, 'auditor', 'custody_faults')) ?? 0) > 0, {
    what: 'a violation',
    deadlineMs,
  });
  expect(await publicSize()).toBe(signed);
  const { get } = partner(stack.mesh);
  expect((await get(`/orders/${kept}/events`)).body).toHaveLength(9);
  expect((await get(`/orders/${taken}`)).status).toBe(200);
  expect((await get(`/orders/${taken}/events`)).body).toEqual([]);
  expect(await metric(stack.mesh, 'custody', 'bus_dead_letters')).toBe(0);
});

test('orders that went back is reported for each order that it lost', async () => {
  const kept = await stack.live('before');
  let lost = '';
  await losing('orders', async () => {
    lost = await stack.live('lost');
    await drained(stack.mesh);
  });
  const { get } = partner(stack.mesh);
  expect((await get(`/orders/${lost}`)).status).toBe(404);
  expect((await get(`/orders/${kept}`)).status).toBe(200);
  const verified = (await operator(stack.mesh, 'ledger', 'verify')) as unknown as {
    code: number;
    json: { valid: boolean; faults: { orderId?: string; order_id?: string }[] };
  };
  expect([verified.code, verified.json.valid]).toEqual([1, false]);
  expect(JSON.stringify(verified.json.faults)).toContain(lost);
  await until(async () => ((await metric(stack.mesh, 'auditor', 'custody_faults')) ?? 0) > 0, {
    what: 'a violation',
    deadlineMs,
  });
  const after = await stack.live('after');
  await drained(stack.mesh);
  expect((await get(`/orders/${after}/events`)).body).toHaveLength(9);
});
