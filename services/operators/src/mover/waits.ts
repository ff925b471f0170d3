/** What must end in the databases of a cell before a step of a move, as sentences for operators. */
import type { Sql } from '@pto/database';
import { consumerGroups } from '@pto/proto/topics';
import type { CellDatabases } from './cells.ts';

/** Returns what is waited for, such as `orders: 2 events that …`; null: nothing. */
export type Wait = () => Promise<string | null>;

const count = async (sql: Sql, organizationId: string, rows: string, what: string) => {
  const [row] = await sql.query<{ count: number }>(`select count(*)::int as count ${rows}`, [
    organizationId,
  ]);
  return row!.count > 0 ? `${row!.count} ${what}` : null;
};

/**
 * Ends the lost leases of an organization as the next claim would, so that no process records a
 * result for them any more.
 */
const endLostLeases = `with ended as materialized (
    select organization_id, delivery_id, attempts, leased_at, lease_until from pending_deliveries
    where organization_id = $1 and lease_until <= now() for update
  ), lost as (
    insert into attempts (organization_id, delivery_id, number, at, error, duration_ms)
    select organization_id, delivery_id, attempts, leased_at, 'lost',
      (extract(epoch from lease_until - leased_at) * 1000)::int from ended
    on conflict do nothing
  )
  update pending_deliveries p set lost = p.lost + 1,
    due_at = greatest(p.due_at, p.due_if_lost_at),
    lease_owner = null, leased_at = null, lease_until = null, due_if_lost_at = null
  from ended e where p.organization_id = e.organization_id and p.delivery_id = e.delivery_id`;

/** The deliveries that a process attempts. */
export const attemptsInFlight =
  ({ webhooks }: CellDatabases, organizationId: string): Wait =>
  async () => {
    await webhooks.query(endLostLeases, [organizationId]);
    return count(
      webhooks,
      organizationId,
      'from pending_deliveries where organization_id = $1 and lease_until is not null',
      'deliveries in flight (webhooks)',
    );
  };

/** The events that custody has not reported. */
export const unreportedEvents =
  ({ orders }: CellDatabases, organizationId: string): Wait =>
  () =>
    count(
      orders,
      organizationId,
      'from unreported_events where organization_id = $1',
      'events that custody has not stored (orders)',
    );

/** The entries without a leaf. */
export const queuedEntries =
  ({ custody }: CellDatabases, organizationId: string): Wait =>
  () =>
    count(
      custody,
      organizationId,
      'from log_queue q join chains c on c.order_id = q.order_id where c.organization_id = $1',
      'entries without a leaf (custody)',
    );

/** The entries that no anchored checkpoint covers. */
export const unanchoredEntries =
  (cell: CellDatabases, organizationId: string): Wait =>
  async () =>
    (await queuedEntries(cell, organizationId)()) ??
    count(
      cell.custody,
      organizationId,
      `from log_state s join log_leaves l on l.leaf_index >= s.anchored_size
       where l.organization_id = $1`,
      'entries that no anchored checkpoint covers (custody)',
    );

const { dispatcher } = consumerGroups;
/** The outbox has the events of a week; a day is added for its partitions. */
const announcedDays = 8;
const pageEntries = 1000;

/**
 * The custody events that webhooks has not handled: those that are announced in custody's outbox, and
 * neither in the inbox nor discarded. A parked message is none of both until an operator replays or
 * discards it. Entries of another cell were announced there. The wait continues behind the entries
 * that it has found handled.
 */
export const unhandledEvents = (
  { custody, webhooks }: CellDatabases,
  organizationId: string,
): Wait => {
  let handled: string | undefined;
  return async () => {
    handled ??= await lastBefore(custody, organizationId);
    for (;;) {
      const entries: Announced[] = await custody.query(
        `select e.id, l.number::text as number,
           exists (select from outbox o where o.event_id = e.id) as announced
         from log_leaves l join entries e on e.order_id = l.order_id and e.sequence = l.sequence
         where l.organization_id = $1 and l.number > $2 order by l.number limit ${pageEntries}`,
        [organizationId, handled],
      );
      const ids = entries.filter(({ announced }) => announced).map(({ id }) => id);
      const open = await webhooks.query(
        `select from unnest($1::uuid[]) as e (id)
         where not exists (select from inbox where consumer = $2 and event_id = e.id)
           and not exists (select from dead_letters
             where consumer = $2 and event_id = e.id::text and discarded_by is not null)`,
        [ids, dispatcher],
      );
      if (open.length > 0)
        return `${open.length} custody events that the dispatcher has not handled (webhooks); if dead letters of it are listed, replay or discard them`;
      handled = entries.at(-1)?.number ?? handled;
      if (entries.length < pageEntries) return null;
    }
  };
};

interface Announced {
  readonly id: string;
  readonly number: string;
  readonly announced: boolean;
}

/** Returns the number of the newest entry whose event the outbox has no more. */
const lastBefore = async (custody: Sql, organizationId: string): Promise<string> => {
  const [row] = await custody.query<{ number: string }>(
    `select l.number::text as number
     from log_leaves l join entries e on e.order_id = l.order_id and e.sequence = l.sequence
     where l.organization_id = $1 and e.appended_at < now() - interval '${announcedDays} days'
     order by l.number desc limit 1`,
    [organizationId],
  );
  return row?.number ?? '0';
};
