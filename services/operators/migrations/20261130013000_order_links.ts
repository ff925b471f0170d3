import { shortMigration } from '@pto/database';
import { rights } from './20261129180000_access.ts';

/**
 * Links for one order (decision 86), and the view of credentials with them. A link has no scope and
 * reads only, so a gateway of the release before, which does not know `order_id`, permits nothing.
 */
export const orderLinks = shortMigration('20261130013000_order_links', [
  `create table order_links (
    -- UUIDv7
    id uuid primary key,
    organization_id uuid not null references organizations,
    -- an order of the organization's cell
    order_id uuid not null,
    side text not null check (side in ('pickup', 'dropoff')),
    -- the key that created the link; null: an operator did
    parent_id uuid references api_keys,
    -- SHA-256 of the secret; the secret itself is stored nowhere
    hash bytea not null unique check (octet_length(hash) = 32),
    created_at timestamptz not null default clock_timestamp(),
    expires_at timestamptz not null,
    -- how often the page was opened, and when last
    views int not null default 0,
    last_viewed_at timestamptz
  )`,
  'create index order_links_of_order on order_links (organization_id, order_id, id)',
  'create index order_links_by_end on order_links (expires_at)',
  // a session ends with its parent, and 30 min after its last use; a link ends with its parent
  `create or replace view credentials as
    select hash, id, organization_id, scopes, expires_at, revoked_at is not null as revoked,
      reads_per_minute, writes_per_minute, allowed_cidrs,
      false as is_session, null::uuid as parent_id, false as read_only, null::uuid as endpoint_id,
      null::uuid as order_id, null::text as side
    from api_keys
    union all
    select s.hash, s.id, s.organization_id, s.scopes,
      least(s.expires_at, p.expires_at,
        greatest(s.opened_at, s.last_used_at) + interval '30 minutes'),
      p.revoked_at is not null, p.reads_per_minute, p.writes_per_minute, p.allowed_cidrs,
      true, s.parent_id, s.read_only, s.endpoint_id, null, null
    from portal_sessions s left join api_keys p on p.id = s.parent_id
    where s.hash is not null
    union all
    select l.hash, l.id, l.organization_id, '{}'::text[], least(l.expires_at, p.expires_at),
      p.revoked_at is not null, null, null, p.allowed_cidrs, true, l.parent_id, true, null,
      l.order_id, l.side
    from order_links l left join api_keys p on p.id = l.parent_id`,
  // the service's role has rights on every new table by default
  rights('revoke', 'all on order_links', 'service'),
  rights(
    'grant',
    'select, insert, delete, update (views, last_viewed_at) on order_links',
    'operators',
  ),
]);
