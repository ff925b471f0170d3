import type { Database } from '@pto/database';
import { within } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { createRests, startWorker } from '@pto/worker';
import {
  defaultBatchMax,
  type IncomingMessage,
  type SubscribeOptions,
  type Subscription,
} from '../bus.ts';
import { busUnavailable } from '../unavailable.ts';

const busyPollMs = 5;
const idlePollMs = 100;
const failedPollMs = 1000;
/** Maximum number of partitions of one subscription that this process handles at the same time. */
const runningMax = 4;
/** Time that the current batches get to finish when the subscription stops. */
const finishWithinMs = 5000;
/** Time to wait for an aborted batch to end. */
const abortedWithinMs = 2000;

/**
 * Subscribes to a topic. A member handles a batch of a partition in a transaction that locks the
 * group's offset in this partition, so no other member handles the partition meanwhile. The lock of
 * a process that dies ends with its connection. The statements are text because no entity declares
 * the tables of this bus.
 */
export const subscribePostgres = async (
  db: Database,
  { group, topic, handle, batchMax = defaultBatchMax }: SubscribeOptions,
  { log }: Telemetry,
): Promise<Subscription> => {
  const [registered] = await db
    .query<{ subscription: number }>(registerSql, [group, topic])
    .catch(busUnavailable);
  const { subscription } = registered!;
  const running = new Map<number, Promise<void>>();
  const rests = createRests<number>();
  const stopping = new AbortController();

  /** @returns whether this process had the partition, and not another member. */
  const handleBatch = async (partition: number): Promise<boolean> => {
    const client = await db.session();
    const lost = new AbortController();
    const lose = (error: Error) => lost.abort(error);
    client.on('error', lose);
    let hasFailed = true;
    try {
      await client.query('begin');
      const locked = await client.query<Place>(lockSql, [subscription, topic, partition]);
      const [place] = locked.rows;
      if (place) {
        const batch = await readBatch(client, [topic, partition, place.next, batchMax]);
        if (batch.length > 0) await handle(batch, AbortSignal.any([stopping.signal, lost.signal]));
        const last = batch.at(-1);
        const next = last ? BigInt(last.offset) + 1n : place.end;
        await client.query(storeSql, [subscription, partition, `${next}`]);
      }
      await client.query('commit');
      hasFailed = false;
      return place !== undefined;
    } finally {
      client.off('error', lose);
      client.release(hasFailed); // closes a failed connection, which ends its transaction
    }
  };

  const run = async (partition: number): Promise<void> => {
    let isOurs = true;
    try {
      isOurs = await handleBatch(partition);
      if (isOurs) rests.succeeded(partition);
    } catch (err) {
      const failures = rests.failed(partition);
      log.warn({ err, group, topic, partition, failures }, 'batch failed, will be retried');
    }
    running.delete(partition);
    if (!isOurs) return;
    pauseMs = busyPollMs;
    worker.wake();
  };

  let pauseMs = busyPollMs;
  const worker = startWorker({
    tick: async (signal) => {
      pauseMs = Math.min(idlePollMs, pauseMs * 2);
      if (running.size === runningMax) return pauseMs;
      const rows = await db.query<{ partition: number }>(dueSql, [subscription, topic]);
      for (const { partition } of rows) {
        if (running.has(partition) || rests.rests(partition)) continue;
        if (signal.aborted || running.size === runningMax) break;
        running.set(partition, run(partition));
      }
      return pauseMs;
    },
    failed: (err) => {
      log.debug({ err, group, topic }, 'the bus could not be read');
      return failedPollMs;
    },
  });
  return {
    stop: async () => {
      await worker.stop();
      const patience = setTimeout(() => stopping.abort(new Error('stopping')), finishWithinMs);
      const ended = Promise.all(running.values());
      await within(finishWithinMs + abortedWithinMs, 'finishing batches', ended).catch(() => {});
      clearTimeout(patience);
    },
  };
};

/** Registers a group on a topic. A new group starts at the oldest message. */
const registerSql = `
with registered as (
  insert into subscriptions (consumer_group, topic) values ($1, $2)
  on conflict (consumer_group, topic) do update set topic = excluded.topic returning id
)
insert into subscription_offsets as o (subscription, partition, next_offset)
select r.id, p.partition, 0 from registered r, topic_partitions p where p.topic = $2
on conflict (subscription, partition) do update set next_offset = o.next_offset
returning subscription`;

const dueSql = `
select o.partition from subscription_offsets o
join topic_partitions p on p.topic = $2 and p.partition = o.partition
where o.subscription = $1 and o.next_offset < p.next_offset`;

/** The offsets between which a group has messages to handle; the retention may have deleted them. */
interface Place {
  readonly next: string;
  readonly end: string;
}

const lockSql = `
select o.next_offset as next, p.next_offset as end from subscription_offsets o
join topic_partitions p on p.topic = $2 and p.partition = o.partition
where o.subscription = $1 and o.partition = $3 and o.next_offset < p.next_offset
for update of o skip locked`;

const readBatch = async (
  client: Awaited<ReturnType<Database['session']>>,
  place: readonly [topic: string, partition: number, from: string, most: number],
): Promise<IncomingMessage[]> => {
  const { rows } = await client.query(
    `select topic, partition, "offset", key, event_id as id, type, traceparent, request_id, reason,
      value
    from messages where topic = $1 and partition = $2 and "offset" >= $3 order by "offset" limit $4`,
    [...place],
  );
  return rows.map(({ traceparent, request_id, reason, ...row }) => ({
    ...row,
    traceparent: traceparent ?? undefined,
    requestId: request_id ?? undefined,
    reason: reason ?? undefined,
  }));
};

const storeSql = `
update subscription_offsets set next_offset = $3 where subscription = $1 and partition = $2`;
