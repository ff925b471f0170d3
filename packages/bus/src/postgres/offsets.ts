import type { BusPool } from './bus-pool.ts';

/** Registers the group on the topic, at its oldest message. @returns the subscription's number. */
export const subscriptionId = async (
  pool: BusPool,
  group: string,
  topic: string,
): Promise<number> => {
  await pool.query(
    `insert into subscriptions (consumer_group, topic) values ($1, $2) on conflict do nothing`,
    [group, topic],
  );
  const [row] = await pool.query<{ id: number }>(
    `with known as (
      select id from subscriptions where consumer_group = $1 and topic = $2
    ), made as (
      insert into subscription_offsets (subscription, partition, next_offset)
      select k.id, p.partition, coalesce(
        (select min("offset") from messages m
          where m.topic = p.topic and m.partition = p.partition), p.next_offset)
      from known k, topic_partitions p where p.topic = $2
      on conflict do nothing)
    select id from known`,
    [group, topic],
  );
  return row!.id;
};

export interface Due {
  readonly partition: number;
  /** Offset of the first message that is not handled. */
  readonly offset: string;
}

/** Returns those of the given partitions that have messages to handle. */
export const duePartitions = (
  pool: BusPool,
  subscription: number,
  topic: string,
  partitions: readonly number[],
): Promise<Due[]> =>
  pool.query<Due>(
    `select p.partition, o.next_offset::text as "offset" from topic_partitions p
    join subscription_offsets o on o.subscription = $1 and o.partition = p.partition
    where p.topic = $2 and p.partition = any($3::int[]) and o.next_offset < p.next_offset`,
    [subscription, topic, partitions],
  );

/**
 * Stores the offset unless the stored one is higher: a member that lost its partition may report
 * late.
 */
export const commitOffset = async (
  pool: BusPool,
  subscription: number,
  partition: number,
  nextOffset: bigint,
): Promise<void> => {
  await pool.query(
    `update subscription_offsets set next_offset = greatest(next_offset, $3)
    where subscription = $1 and partition = $2`,
    [subscription, partition, `${nextOffset}`],
  );
};

export const postgresLag = async (pool: BusPool, group: string, topic: string): Promise<number> => {
  const [row] = await pool.query<{ lag: string }>(
    `select coalesce(sum(p.next_offset - coalesce(o.next_offset, 0)), 0) as lag
    from topic_partitions p
    left join subscriptions s on s.consumer_group = $1 and s.topic = p.topic
    left join subscription_offsets o on o.subscription = s.id and o.partition = p.partition
    where p.topic = $2`,
    [group, topic],
  );
  return Number(row!.lag);
};
