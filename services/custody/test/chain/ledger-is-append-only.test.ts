import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Client } from 'pg';
import {
  anOrderId,
  anOrganization,
  type CustodyUnderTest,
  eventsOf,
  startCustodyService,
} from '../custody-service.ts';

let under: CustodyUnderTest;
let superuser: Client;
let service: Client;

const connected = async (connectionString: string): Promise<Client> => {
  const client = new Client({ connectionString });
  await client.connect();
  return client;
};

beforeAll(async () => {
  under = await startCustodyService();
  superuser = await connected(under.database.superuserUrl);
  service = await connected(under.database.serviceUrl);
});
afterAll(async () => {
  await superuser.end();
  await service.end();
  await under.stop();
});

// a chain that is gone is waited for, so the next test shall not know of it
afterEach(() => under.known.clear());

/** A chain of three entries, and the evidence that orders has of it. */
const chainOfThree = async (): Promise<string> => {
  const [orderId, organizationId] = [anOrderId(), anOrganization()];
  await under.publish(eventsOf(orderId, organizationId, 3));
  const asked = { orderId, organizationId, atLeastSequence: 3 };
  const entries = await until(
    async () => {
      const listed = await under.custody.listEvents(asked);
      return listed.entries.length === 3 && listed.entries;
    },
    { what: 'three entries' },
  );
  under.known.set(orderId, {
    orderId,
    sequence: 3,
    custodySequence: 3,
    custodyHeadHash: entries[2]!.eventHash,
  });
  return orderId;
};

/** As a superuser who switches the triggers off. */
const tamper = async (...statements: readonly string[]): Promise<void> => {
  await superuser.query('begin; set local session_replication_role = replica');
  for (const statement of statements) await superuser.query(statement);
  await superuser.query('commit');
};

test.each([
  ...[`update entries set type = 'x'`, 'delete from entries', 'truncate entries'],
  'update log_leaves set number = 9',
])('not even a superuser can %s while the triggers are on', async (statement) => {
  await chainOfThree();
  await expect(superuser.query(statement)).rejects.toThrow(
    'custody entries are never changed or removed',
  );
});

describe("the service's own role cannot", () => {
  test.each([
    `update entries set type = 'x'`,
    'delete from entries',
    'truncate entries',
    'delete from chains',
    'alter table entries disable trigger all',
    'drop trigger entries_are_append_only on entries',
    'insert into log_state (size) values (0)',
    'update log_state set size = size - 1',
    'update log_state set anchored_size = anchored_size - 1',
    'update log_state set one = true',
    'delete from log_state',
    "insert into log_keys (vkey) values ('own')",
    'update log_keys set valid_until = null',
    "select rotate_any_daily_partitions('inbox', 7, 0)",
  ])('%s', async (statement) => {
    await chainOfThree();
    await expect(service.query(statement)).rejects.toMatchObject({ code: '42501' });
  });

  test('register a key beside those that the log has', async () => {
    await service.query("select register_first_log_keys(array['own'])");
    const { rows } = await superuser.query("select from log_keys where vkey = 'own'");
    expect(rows).toEqual([]);
  });

  test('clear a halted log', async () => {
    await superuser.query("update log_state set halted = 'a reason'");
    const cleared = service.query('update log_state set halted = null');
    await expect(cleared).rejects.toMatchObject({ code: '42501' });
    await service.query("update log_state set halted = 'another reason'");
    const { rows } = await superuser.query('select halted from log_state');
    expect(rows).toEqual([{ halted: 'another reason' }]);
    await superuser.query('update log_state set halted = null');
  });

  test.each([
    ["select rotate_daily_partitions('inbox', 7, 15)", 'inbox keeps at least 16 days'],
    ["select rotate_daily_partitions('outbox', 7, 6)", 'outbox keeps at least 7 days'],
    ["select rotate_daily_partitions('inbox', 100000, 16)", 'at most 31 days'],
    ["select rotate_daily_partitions('inbox', 7, null)", 'inbox keeps at least 16 days'],
    ["select rotate_daily_partitions('entries', 7, 7)", 'not a table with daily partitions'],
  ])('%s', async (statement, reason) => {
    await expect(service.query(statement)).rejects.toThrow(reason);
  });

  test('add a second entry behind the same one', async () => {
    const orderId = await chainOfThree();
    const fork = service.query(
      `insert into entries (order_id, sequence, id, type, internal_type, ts_utc, prev_event_hash,
         event_hash, canonical_text)
       select order_id, 4, gen_random_uuid(), type, internal_type, ts_utc, prev_event_hash, 'x', 'x'
       from entries where order_id = $1 and sequence = 2`,
      [orderId],
    );
    await expect(fork).rejects.toMatchObject({ code: '23505' });
  });
});

test('an untouched ledger is valid', async () => {
  const orderId = await chainOfThree();
  const verdict = await under.ledger.verifyChains({ orderId });
  expect(verdict).toMatchObject({ orders: 1, entries: 3n, faults: [] });
});

const second = (id: string) => `where order_id = '${id}' and sequence = 2`;
const third = (id: string) => `where order_id = '${id}' and sequence = 3`;

describe('what a superuser does is found, and the order is named', () => {
  test.each<[string, (orderId: string) => string[]]>([
    ['a changed type', (id) => [`update entries set type = 'order.closed' ${second(id)}`]],
    ['a changed payload', (id) => [`update entries set payload = '{"a":1}' ${second(id)}`]],
    [
      'a changed time',
      (id) => [`update entries set ts_utc = '2026-01-15T09:30:01.001Z' ${second(id)}`],
    ],
    ['a moved position', (id) => [`update entries set gps_lat = 52.520009 ${second(id)}`]],
    ['a changed hash', (id) => [`update entries set event_hash = repeat('0', 64) ${third(id)}`]],
    [
      'a changed canonical text',
      (id) => [`update entries set canonical_text = '{}' ${second(id)}`],
    ],
    ['a removed last entry', (id) => [`delete from entries ${third(id)}`]],
    [
      'a removed last entry and a head set back',
      (id) => [
        `delete from entries ${third(id)}`,
        `update chains set sequence = 2, head_hash = (select event_hash from entries ${second(id)})
         where order_id = '${id}'`,
      ],
    ],
    ['a removed middle entry', (id) => [`delete from entries ${second(id)}`]],
    [
      'a removed order',
      (id) => [
        `delete from entries where order_id = '${id}'`,
        `delete from chains where order_id = '${id}'`,
      ],
    ],
    ['a lost head', (id) => [`delete from chains where order_id = '${id}'`]],
  ])('%s', async (_, statements) => {
    const orderId = await chainOfThree();
    await tamper(...statements(orderId));
    const alone = await under.ledger.verifyChains({ orderId });
    expect(new Set(alone.faults.map((fault) => fault.orderId))).toEqual(new Set([orderId]));
    const all = await under.ledger.verifyChains({});
    expect(all.faults.map((fault) => fault.orderId)).toContain(orderId);
  });
});
