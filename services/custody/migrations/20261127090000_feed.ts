import { sqlMigration } from '@pto/database';

/**
 * The event feed (decisions 65 and 68): the number of each leaf among the leaves of its
 * organization, and what a webhook carries of an order. The leaves are numbered first, and
 * `entries` is locked at the end only. A replica of the version before appends entries meanwhile; it
 * places no leaves any more.
 */
export const feed = sqlMigration('20261127090000_feed', [
  `create table feed_heads (
    organization_id uuid primary key,
    -- the number of the organization's newest leaf
    number bigint not null
  )`,
  `alter table log_leaves
    add column organization_id uuid,
    -- 1, 2, 3 … in the log's order, without a gap
    add column number bigint`,
  'alter table log_leaves disable trigger log_leaves_are_append_only',
  `update log_leaves l set organization_id = n.organization_id, number = n.number
    from (
      select leaf_index, c.organization_id,
        row_number() over (partition by c.organization_id order by leaf_index) as number
      from log_leaves join chains c using (order_id)
    ) n where l.leaf_index = n.leaf_index`,
  'alter table log_leaves enable trigger log_leaves_are_append_only',
  `alter table log_leaves
    alter column organization_id set not null,
    alter column number set not null`,
  'create unique index log_leaves_by_number on log_leaves (organization_id, number)',
  `insert into feed_heads (organization_id, number)
    select organization_id, max(number) from log_leaves group by organization_id`,
  // the privileges that each new table gives the service's role
  `do $$
    declare grantee text;
    begin
      for grantee in select distinct g.grantee from information_schema.role_table_grants g
        where g.table_name = 'feed_heads' and g.privilege_type = 'UPDATE'
          and g.grantee <> current_user
      loop
        execute format('revoke delete, truncate on feed_heads from %I', grantee);
      end loop;
    end $$`,
  `alter table entries
    -- the order directly after the event, which no hash covers; null in entries from before
    add column external_id text,
    add column order_status text,
    add column order_updated_at text`,
]);
