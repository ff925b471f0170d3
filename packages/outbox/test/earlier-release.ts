import type { Bus } from '@pto/bus';
import { type Database, keyHash, uuidv7 } from '@pto/database';
import { startWorker } from '@pto/worker';

/**
 * Starts a relay as a release without `OUTBOX_SHARDS` has it: its membership, its locks and its
 * division into four shards, with the same statements. It sends the rows of one shard after the
 * other.
 */
export const startEarlierRelease = (db: Database, bus: Pick<Bus, 'publish'>) => {
  const member = keyHash(uuidv7()) % 2 ** 31;
  const held = new Set<number>();
  let session: Awaited<ReturnType<Database['session']>> | undefined;

  const joined = async () => {
    if (session) return session;
    session = await db.session();
    await session.query('select pg_advisory_lock(5660, $1)', [member]);
    return session;
  };

  const divide = async () => {
    const client = await joined();
    const { rows } = await client.query<{ member: number }>(
      `select l.objid::int as member from pg_locks l
      join pg_database d on d.oid = l.database and d.datname = current_database()
      where l.locktype = 'advisory' and l.objsubid = 2 and l.granted and l.classid = 5660`,
    );
    const members = rows.map((row) => row.member).sort((a, b) => a - b);
    for (let shard = 0; shard < 4; shard++) {
      const isMine = shard % members.length === members.indexOf(member);
      if (!isMine && held.delete(shard))
        await client.query('select pg_advisory_unlock(5661, $1)', [shard]);
      else if (isMine && !held.has(shard)) {
        const text = 'select pg_try_advisory_lock(5661, $1) got';
        if ((await client.query<{ got: boolean }>(text, [shard])).rows[0]!.got) held.add(shard);
      }
    }
  };

  const send = async (shard: number) => {
    const rows = await db.query<{
      event_id: string;
      topic: string;
      key: string;
      type: string;
      value: Buffer;
    }>(
      `select event_id, topic, key, type, value from outbox
      where shard = $1 and sent_at is null order by id limit 500`,
      [shard],
    );
    if (rows.length === 0) return;
    await bus.publish(rows.map(({ event_id, ...row }) => ({ id: event_id, ...row })));
    await db.query('update outbox set sent_at = now() where event_id = any ($1::uuid[])', [
      rows.map(({ event_id }) => event_id),
    ]);
  };

  const worker = startWorker({
    tick: async () => {
      await divide();
      for (const shard of held) await send(shard);
      return 20;
    },
    failed: () => 100,
  });
  return {
    held: () => [...held],
    stop: async () => {
      await worker.stop();
      session?.release(true);
    },
  };
};
