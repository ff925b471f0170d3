import { longMigration, shortMigration } from '@pto/database';

/** The columns of what stays of an attempt's response and of a deleted endpoint (decision 80). */
export const responses = shortMigration('20261130100000_responses', [
  // null: there was none; empty: it was erased
  'alter table attempts add column response_body text',
  // null in rows from before this migration
  `alter table deleted_endpoints
    add column event_filter text[], add column created_at timestamptz`,
]);

/** Builds an index of a partitioned table day by day, so that writers wait for one day alone. */
export const index = (name: string, table: string, columns: string): readonly string[] => [
  `do $$ declare part record; begin
    for part in select c.oid::regclass as of, c.relname as name from pg_inherits i
      join pg_class c on c.oid = i.inhrelid where i.inhparent = '${table}'::regclass order by 2
    loop
      execute format($f$create index if not exists %I on %s ${columns}$f$,
        part.name || '_${name}', part.of);
      commit;
    end loop;
  end $$`,
  // takes the days' indexes as its own
  `create index if not exists ${table}_${name} on ${table} ${columns}`,
];

/** The indexes by which an order's events, and the attempts of erased responses, are found. */
export const responsesIndexes = longMigration('20261130100100_responses_indexes', [
  ...index('of_order', 'events', '(organization_id, order_id, id)'),
  ...index('erased', 'attempts', "(organization_id, delivery_id) where response_body = ''"),
]);
