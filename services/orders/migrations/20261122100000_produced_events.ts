import { sqlMigration } from '@pto/database';

/**
 * `produced_events`: the digest of each event that orders produced, as evidence for the auditor
 * (decision 55). Append-only: for the service's role by grants, for the owner by a trigger. Events
 * from before this migration have no digest.
 *
 * `unreported_events`: a queue of events that custody has not reported back; the report removes the
 * row. It costs one insert and one delete per event. A partial index on orders would need no queue,
 * but each report would change a column of its condition. Such an update is not heap-only, so each
 * report would write all indexes of the order.
 */
export const producedEvents = sqlMigration('20261122100000_produced_events', [
  `create table produced_events (
    order_id uuid not null,
    sequence int not null check (sequence > 0),
    -- contentDigest of the package custody-verifier
    digest bytea not null check (octet_length(digest) = 32),
    produced_at timestamptz not null default clock_timestamp(),
    primary key (order_id, sequence)
  )`,
  `create function reject_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'the digests of produced events are never changed or removed'
        using errcode = '42501';
    end $$`,
  `create trigger produced_events_are_append_only
    before update or delete or truncate on produced_events
    for each statement execute function reject_rewriting()`,
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'produced_events' and g.grantee <> current_user
      loop
        execute format('revoke update, delete, truncate on produced_events from %I', grantee);
      end loop;
    end $$`,
  `create table unreported_events (
    order_id uuid not null,
    sequence int not null,
    produced_at timestamptz not null default clock_timestamp(),
    primary key (order_id, sequence)
  ) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`,
  `create index unreported_events_oldest on unreported_events (produced_at, order_id, sequence)`,
  `insert into unreported_events (order_id, sequence)
   select o.id, n from orders o, generate_series(o.custody_sequence + 1, o.sequence) n`,
]);
