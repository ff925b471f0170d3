import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@pto/database';
import { until } from '@pto/testing';
import { holdShards } from '../../src/shard-leases.ts';
import { familyOf, shardsOf } from '../../src/shards.ts';
import { sendingService } from '../sending-service.ts';
import { startRelayProcess } from '../start-relay-process.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
const stops: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  service = await sendingService();
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await service.stop();
});

/** Leases of one process, whose requests for shards are counted. */
const leasesOf = (count: number, finish: () => Promise<void> = async () => {}) => {
  let requests = 0;
  const session: Database['session'] = async () => {
    const opened = await service.db.session();
    const query = opened.query.bind(opened) as (text: string, values: unknown[]) => unknown;
    opened.query = ((text: string, values: unknown[]) => {
      if (text.includes('pg_try_advisory_lock')) requests++;
      return query(text, values);
    }) as typeof opened.query;
    return opened;
  };
  const leases = holdShards({
    db: { ...service.db, session },
    count,
    channel: 'test',
    changed: () => {},
    taken: () => {},
    finish,
    log: service.telemetry.log,
  });
  stops.push(leases.stop);
  return { ...leases, requests: () => requests };
};

/** A session that takes the locks of a release without `OUTBOX_SHARDS`, by its statements. */
const earlierRelease = async () => {
  const client = await service.db.session();
  stops.push(async () => client.release(true));
  return {
    join: () => client.query('select pg_advisory_lock(5660, $1)', [1]),
    take: async (shard: number) => {
      const text = 'select pg_try_advisory_lock(5661, $1) got';
      return (await client.query<{ got: boolean }>(text, [shard])).rows[0]!.got;
    },
    release: (shard: number) => client.query('select pg_advisory_unlock(5661, $1)', [shard]),
  };
};

const sorted = (...leases: { held(): readonly number[] }[]) =>
  leases.flatMap((one) => one.held()).sort((a, b) => a - b);
const untilHeld = (shards: readonly number[], ...leases: { held(): readonly number[] }[]) =>
  until(() => `${sorted(...leases)}` === `${shards}`, { what: `the shards ${shards}` });

test('one process alone has all shards that it is set to', async () => {
  await untilHeld(shardsOf(64), leasesOf(64));
});

test('shards whose batch is still being sent are not handed over', async () => {
  let [isSending, finishes] = [true, 0];
  const sending = leasesOf(16, async () => {
    finishes++;
    if (isSending) throw new Error('finishing a batch took longer than 5000 ms');
  });
  await untilHeld(shardsOf(16), sending);
  const next = leasesOf(16);
  await until(() => finishes > 2 * shardsOf(4).length, { what: 'several waits for the batches' });
  expect(next.held()).toEqual([]);
  isSending = false;
  await until(() => next.held().length === 8, { what: 'half of the shards' });
});

test('the shards of a process that is stopped are taken, and divided again when it goes on', async () => {
  const other = await startRelayProcess(service, 16);
  stops.push(other.kill);
  const leases = leasesOf(16);
  const half = { what: 'half of the shards' };
  await until(() => leases.held().length === 8, half);
  other.suspend();
  await untilHeld(shardsOf(16), leases);
  other.resume();
  await until(() => leases.held().length === 8, half);
}, 60_000);

test('a higher number takes effect when the last process is set to it, a lower one at once', async () => {
  const [first, second] = [leasesOf(16), leasesOf(16)];
  await untilHeld(shardsOf(16), first, second);
  const third = leasesOf(4);
  await untilHeld(shardsOf(4), first, second, third);
  const fourth = leasesOf(16);
  await until(() => fourth.held().length > 0, { what: 'a shard of the fourth process' });
  await untilHeld(shardsOf(4), first, second, third, fourth);
  await third.stop();
  await untilHeld(shardsOf(16), first, second, fourth);
});

test('a process of an earlier release gets no shard of which another process holds a part', async () => {
  const leases = leasesOf(16);
  await untilHeld(shardsOf(16), leases);
  const earlier = await earlierRelease();
  for (const shard of shardsOf(4))
    expect([shard, await earlier.take(shard)]).toEqual([shard, false]);
});

test('a shard that an earlier release holds is taken in no part', async () => {
  const earlier = await earlierRelease();
  expect(await earlier.take(2)).toBe(true);
  const leases = leasesOf(16);
  const others = shardsOf(16).filter((shard) => familyOf(shard) !== 2);
  await untilHeld(others, leases);
  const requests = leases.requests();
  await until(() => leases.requests() >= requests + 2, { what: 'two more requests' });
  expect(sorted(leases)).toEqual(others);
  await earlier.release(2);
  await untilHeld(shardsOf(16), leases);
});

test('a request that fails leaves no lock behind', async () => {
  const earlier = await earlierRelease();
  await earlier.take(2);
  const leases = leasesOf(64);
  await until(() => leases.requests() >= 2, { what: 'two requests' });
  const ofFamily = () =>
    service.db.query(
      `select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.classid = 5661 and l.objid::int % 4 = 2`,
    );
  await until(async () => (await ofFamily()).length === 1, { what: 'the earlier lock alone' });
});

test('with an earlier release four shards are used', async () => {
  const leases = [leasesOf(16), leasesOf(64)];
  await untilHeld(shardsOf(16), ...leases);
  const earlier = await earlierRelease();
  await earlier.join();
  let share: number[] = [];
  await until(
    async () => {
      for (const shard of shardsOf(4))
        if (!share.includes(shard) && (await earlier.take(shard))) share = [...share, shard];
      return share.length > 0 && share.length + sorted(...leases).length === 4;
    },
    { what: 'four shards' },
  );
  expect([...share, ...sorted(...leases)].sort((a, b) => a - b)).toEqual(shardsOf(4));
});

test.each([
  [16, 16],
  [16, 4],
  [4, 16],
])('of %s shards none goes to a process with %s before its batch has ended', async (one, other) => {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const first = leasesOf(one, () => ended);
  await untilHeld(shardsOf(one), first);
  const second = leasesOf(other);
  await until(() => second.requests() >= 3, { what: 'requests of the second process' });
  expect(second.held()).toEqual([]);
  end();
  await untilHeld(shardsOf(Math.min(one, other)), first, second);
  expect(second.held().length).toBe(Math.min(one, other) / 2);
});
