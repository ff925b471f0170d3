/**
 * Statements that fill the databases of orders and custody with $2 orders of organization $1 and
 * others, as months of use until $3 leave them. Rows are numbered, so that both databases have rows
 * of the same orders.
 */
const organizations = 10;

/** The time of order `n`: an order each second, the newest first. $3 is the time of the filling. */
const madeAt = `$3::timestamptz - n * interval '1 second'`;

/** The id of order `n`, a UUIDv7 of its time. */
const idOf = `(lpad(to_hex(floor(extract(epoch from ${madeAt}) * 1000)::bigint), 12, '0')
  || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;

/** The organization of order `n`: $1 for each tenth order. */
const organizationOf = `case n % ${organizations} when 0 then $1::uuid
  else md5('organization' || n % ${organizations})::uuid end`;

/** Numbers of orders of organization $1, at random, below $2. */
export const randomOwnOrders = `
select ${idOf} as id
from (select ${organizations} * (1 + floor(random() * ($2::int / ${organizations} - 1)))::int as n
  from generate_series(1, 1000)) numbers where $1::uuid is not null`;

/** A time of today or of yesterday's last hours: these days have partitions. */
const recently = `uuidv7(-random() * (now() - date_trunc('day', now(), 'utc') + interval '6 hours'))`;

/** The id of a location of the organization of order `n`, numbered within the organization. */
const locationOf = (number: string): string =>
  `md5('location' || ${number} || ' of ' || n % ${organizations})::uuid`;

/** One location for 50 orders of an organization; `n` stands for the organization. */
const locations = `
insert into locations (id, organization_id, label, street, zip, city, country, address_key,
  created_via_api)
select ${locationOf('l')}, ${organizationOf}, 'Lab', 'Street ' || l, '10117', 'Berlin', 'DE',
  sha256(l::text::bytea), true
from generate_series(0, $2::int / ${50 * organizations}) l, generate_series(1, ${organizations}) n
where $3::timestamptz is not null`;

const orders = `
insert into orders (id, organization_id, external_id, status, sla, source, pickup_location_id,
  dropoff_location_id, dropoff_address_text, pickup_window_start, sequence, last_event_at,
  custody_sequence, items, item_count, created_at, updated_at)
select ${idOf}, ${organizationOf}, 'E-' || n,
  (array['CLOSED', 'CLOSED', 'CLOSED', 'CANCELLED', 'SUBMITTED'])[1 + n / 10 % 5], 'STANDARD',
  'partner_api', ${locationOf(`n / ${50 * organizations}`)},
  ${locationOf(`n / ${100 * organizations}`)},
  'Marienplatz 1, 80331 München', ${madeAt}, 1, '2026-01-15T09:30:00.000Z', 1,
  '[{"goods_type":"b","seal_id":null},{"goods_type":"b","seal_id":null}]', 2, ${madeAt},
  ${madeAt} + interval '1 hour' * (n % 7)
from generate_series(1, $2::int) n`;

const producedEvents = `
insert into produced_events (organization_id, order_id, sequence, digest)
select ${organizationOf}, ${idOf}, 1, sha256(n::text::bytea) from generate_series(1, $2::int) n`;

/** Stored responses of a tenth of the orders. */
const idempotency = `
insert into idempotency (id, organization_id, route, key, body_sha256, answer)
select ${recently}, ${organizationOf}, 'POST /orders', 'K-' || n, sha256(n::text::bytea),
  convert_to(repeat('x', 900), 'UTF8')
from generate_series(1, $2::int / 10) n where $3::timestamptz is not null`;

/** Sent messages of a tenth of the orders. */
const outbox = `
insert into outbox (event_id, topic, key, type, value, sent_at)
select ${recently}, 'orders.order-events.v1', n::text, 'order.submitted',
  convert_to(repeat('x', 300), 'UTF8'), now()
from generate_series(1, $2::int / 10) n where $1::uuid is not null and $3::timestamptz is not null`;

export const orderRows = [locations, orders, producedEvents, idempotency, outbox];

/**
 * A chain of one entry for each order. The log does not contain them, and their hashes are of no
 * use: only reads of entries are measured.
 */
const hash = `encode(sha256(n::text::bytea), 'hex')`;

const chains = `
insert into chains (order_id, organization_id, sequence, head_hash)
select ${idOf}, ${organizationOf}, 1, ${hash} from generate_series(1, $2::int) n`;

const entries = `
insert into entries (order_id, sequence, id, type, internal_type, ts_utc, payload, prev_event_hash,
  event_hash, canonical_text)
select ${idOf}, 1, md5('entry' || n)::uuid, 'order.submitted', 'ORDER_SUBMITTED',
  '2026-01-15T09:30:00.000Z', '{"item_count":2,"sla":"standard"}', ${hash}, ${hash},
  repeat('x', 350)
from generate_series(1, $2::int) n where $1::uuid is not null`;

export const custodyRows = [chains, entries];
