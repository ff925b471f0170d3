import { execute, firstUuidv7, fragment, isUuid, type Sql } from '@pto/database';
import { readClock } from '../database-clock.ts';
import { type EndpointKey, tables } from '../schema/entities.ts';

const dayCount = 7;
const dayMs = 86_400_000;
/** Maximum number of deliveries of a kind that are counted for a day: a bound for the time. */
const countedMax = 100_000;
/** Number of deliveries whose attempts are measured for a day: the newest. */
const measuredMax = 500;

/** Selects what a day's row is made of. The states are literals, as in `stretches`. */
const ofDay = ({ organizationId, id }: EndpointKey, from: string, until: string) => {
  const queued = tables
    .selectFrom('deliveries')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('endpoint_id', '=', id)
    .where('id', '>=', from)
    .where('id', '<', until);
  const open = queued.where('state', '<>', fragment.lit('EXHAUSTED'));
  const exhausted = queued.where('state', '=', fragment.lit('EXHAUSTED'));
  const newest = [open, exhausted].map((of) =>
    tables.selectFrom(of.orderBy('id', 'desc').limit(measuredMax).as('n')).selectAll(),
  );
  const measured = newest[0]!.unionAll(newest[1]!).orderBy('id', 'desc').limit(measuredMax);
  const numberOf = (of: typeof queued) =>
    tables
      .selectFrom(of.limit(countedMax).as('c'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'));
  const p95 = tables
    .selectFrom(measured.as('m'))
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('attempts as t')
          .select('t.duration_ms')
          .where('t.organization_id', '=', organizationId)
          .whereRef('t.delivery_id', '=', 'm.id')
          // the bounds let PostgreSQL skip daily partitions
          .where('t.delivery_id', '>=', from)
          .where('t.delivery_id', '<', until)
          // others would tell by their duration which internal hosts exist (decision 62)
          .where(({ eb, or }) =>
            or([eb('t.status_code', 'is not', null), eb('t.error', '=', 'timeout')]),
          )
          .as('a'),
      (join) => join.onTrue(),
    )
    .select(({ ref }) =>
      fragment<
        number | null
      >`percentile_disc(0.95) within group (order by ${ref('a.duration_ms')})`.as('p95'),
    );
  return tables.selectNoFrom([
    numberOf(open).as('open'),
    numberOf(exhausted).as('failed'),
    p95.as('p95'),
  ]);
};

/** Selects the number of waiting deliveries by the day since the epoch of their ids, the queue read once. */
const waitingOf = ({ organizationId, id }: EndpointKey) =>
  tables
    .selectFrom(
      tables
        .selectFrom('pending_deliveries')
        .select(
          fragment<number>`(('x' || left(replace(delivery_id::text, '-', ''), 12))::bit(48)::bigint
            / ${fragment.lit(dayMs)})::int`.as('day'),
        )
        .where('organization_id', '=', organizationId)
        .where('endpoint_id', '=', id)
        .limit(countedMax)
        .as('w'),
    )
    .select('w.day')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
    .groupBy('w.day');

/**
 * Returns how many deliveries to an endpoint were queued on each of the last 7 days, in UTC and today
 * last, what became of them, and how fast the receiver answers. A statement reads the partitions of
 * one day, at most 100,000 entries of each index and 500 deliveries.
 */
export const countDeliveries = async (sql: Sql, key: EndpointKey) => {
  if (![key.organizationId, key.id].every(isUuid)) return [];
  const today = Math.floor((await readClock(sql))() / dayMs) * dayMs;
  const waiting = new Map((await execute(sql, waitingOf(key))).map((of) => [of.day, of.count]));
  const days = [];
  for (let from = today - (dayCount - 1) * dayMs; from <= today; from += dayMs) {
    const statement = ofDay(key, firstUuidv7(from), firstUuidv7(from + dayMs));
    const [row] = await execute(sql, statement);
    const { open, failed, p95 } = row!;
    const pending = waiting.get(from / dayMs) ?? 0;
    days.push({
      day: new Date(from).toISOString().slice(0, 10),
      delivered: Math.max(0, (open ?? 0) - pending),
      failed: failed ?? 0,
      pending,
      ...(p95 !== null && { p95Ms: p95 }),
    });
  }
  return days;
};
