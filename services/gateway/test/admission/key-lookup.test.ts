import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { hashText, newApiKey } from '@pto/access';
import { type Database, openDatabase, type Sql } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { until } from '@pto/testing';
import { createKeyLookup } from '../../src/admission/key-lookup.ts';
import { call, type GatewayUnderTest, partnerOf, startGatewayService } from '../gateway-service.ts';

const failedPerMinute = 5;
/** Ten statements per second for the unknown keys of all throttled addresses. */
const statementsPerMs = 1 / 100;

let under: GatewayUnderTest;
let db: Database;
beforeAll(async () => {
  under = await startGatewayService({
    redisUrl: '',
    environment: {
      GATEWAY_FAILED_AUTH_PER_MINUTE: `${failedPerMinute}`,
      GATEWAY_TRUSTED_PROXIES: '127.0.0.0/8',
    },
  });
  db = await openDatabase({
    url: under.database.serviceUrl,
    poolMax: 1,
    statementTimeoutMs: 5000,
    lockTimeoutMs: 2000,
    telemetry: createTelemetry({ service: 'test', write: () => {} }),
  });
});
afterAll(async () => {
  await db.close();
  await under.stop();
});

describe('a throttled address', () => {
  const ping = (key: string) => {
    const headers = { 'x-forwarded-for': '192.0.2.1' };
    return call('GET', `${under.baseUrls[0]}/ping`, { key, headers });
  };

  let looks = 0; // statements of the counting itself, more of them on a slow machine
  const look: Database['query'] = (text) => {
    looks++;
    return db.query(text);
  };
  /** Transactions of the gateway so far. Its sessions report them when they end. */
  const transactions = async (): Promise<number> => {
    const others = `from pg_stat_activity
      where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`;
    await look(`select pg_terminate_backend(pid) ${others}`);
    await until(async () => (await look(`select pid ${others}`)).length === 0, {
      what: 'the end of all sessions',
    });
    await look('select pg_stat_force_next_flush()');
    const [row] = await look<{ count: string }>(
      'select xact_commit + xact_rollback as count from pg_stat_database where datname = current_database()',
    );
    return Number(row!.count) - looks;
  };

  beforeAll(async () => {
    for (let n = 0; n <= failedPerMinute; n++) await ping('svc_test_malformed');
    expect((await ping('svc_test_malformed')).status).toBe(429);
  });

  test('1,000 unknown well-formed keys cause at most ten statements per second', async () => {
    const before = await transactions();
    const begun = Date.now();
    const lanes = Array.from({ length: 100 }, async () => {
      for (let n = 0; n < 10; n++) expect((await ping(newApiKey('sandbox'))).status).toBe(429);
    });
    await Promise.all(lanes);
    const statements = (Date.now() - begun) * statementsPerMs;
    const more = 40; // of ten sessions that begin again
    expect((await transactions()) - before).toBeLessThanOrEqual(statements + more);
    expect(statements).toBeLessThan(400); // else the bound would show nothing
  });

  test('a good key passes, whether or not it is in memory, also during the flood', async () => {
    const { key } = await partnerOf(under);
    let isOver = false;
    const flood = Array.from({ length: 20 }, async () => {
      while (!isOver) await ping(newApiKey('sandbox'));
    });
    const begun = Date.now();
    expect((await ping(key)).status).toBe(200); // not in memory
    expect((await ping(key)).status).toBe(200); // in memory
    const tookMs = Date.now() - begun;
    isOver = true;
    await Promise.all(flood);
    expect(tookMs).toBeLessThan(1500);
  });
});

describe('look-ups of one replica', () => {
  let statements: (readonly Buffer[])[];
  beforeEach(() => {
    statements = [];
  });
  const counted = (): Sql => ({
    query: (text, values) => {
      statements.push(values![0] as Buffer[]);
      return db.query(text, values);
    },
  });
  const unknown = () => hashText(newApiKey('sandbox'));
  const free = async () => false;

  test('of different keys at one moment share statements, and of one key share one', async () => {
    const { find } = createKeyLookup(counted());
    const name = unknown();
    const names = [name, name, name, ...Array.from({ length: 100 }, unknown)];
    await Promise.all(names.map((one) => find(one, free)));
    expect(statements.length).toBeLessThanOrEqual(2);
    expect(statements.flat().filter((one) => one.toString('base64') === name)).toHaveLength(1);
  });

  test('of many unknown keys do not push a known key out of memory', async () => {
    const { key } = await partnerOf(under);
    const { find } = createKeyLookup(counted());
    const known = hashText(key);
    expect(await find(known, free)).not.toBeNull();
    await Promise.all(Array.from({ length: 9000 }, (_, n) => find(hashText(`unknown ${n}`), free)));
    await Promise.all(Array.from({ length: 3000 }, (_, n) => find(hashText(`other ${n}`), free)));
    statements = [];
    expect(await find(known, free)).not.toBeNull();
    expect(statements).toEqual([]);
  });

  test('after a change by the operator do not use what was found before', async () => {
    const { key } = await partnerOf(under);
    const { find, forget } = createKeyLookup(counted());
    await find(hashText(key), free);
    forget();
    await find(hashText(key), free);
    expect(statements).toHaveLength(2);
  });

  test('of a key found before do not wait with the unknown keys of a throttled address', async () => {
    const { key } = await partnerOf(under);
    const { find, forget } = createKeyLookup(counted());
    await find(hashText(key), free);
    forget();
    const asked = async () => {
      throw new Error('the address was checked');
    };
    expect(await find(hashText(key), asked)).not.toBeNull();
    expect(statements).toHaveLength(2);
    await expect(find(unknown(), asked)).rejects.toThrow('the address was checked');
  });

  test('fail together when the database fails, and work again after', async () => {
    let isBroken = true;
    const { find } = createKeyLookup({
      query: (text, values) =>
        isBroken ? Promise.reject(new Error('broken')) : db.query(text, values),
    });
    const both = await Promise.allSettled([find(unknown(), free), find(unknown(), free)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await find(unknown(), free)).toBeNull();
  });
});
