/** Statements that fill the database of orders with $2 orders, as months of use leave them. */
import { idOf, madeAt, organizationOf } from './row-numbers.ts';

/** A time of today or of yesterday's last hours: these days have partitions. */
const recently = `uuidv7(-random() * (now() - date_trunc('day', now(), 'utc') + interval '6 hours'))`;

/** One location for 50 orders. */
const locations = `
insert into locations (id, organization_id, label, street, zip, city, country, address_key,
  created_via_api)
select md5('location' || n)::uuid, $1::uuid, 'Lab', 'Street ' || n, '10117', 'Berlin', 'DE',
  sha256(n::text::bytea), true
from generate_series(0, $2::int / 50) n where $3::timestamptz is not null`;

const orders = `
insert into orders (id, organization_id, external_id, status, sla, source, pickup_location_id,
  dropoff_location_id, dropoff_address_text, pickup_window_start, sequence, last_event_at,
  custody_sequence, items, item_count, created_at, updated_at)
select ${idOf}, ${organizationOf}, 'E-' || n,
  (array['CLOSED', 'CLOSED', 'CLOSED', 'CANCELLED', 'SUBMITTED'])[1 + n / 10 % 5], 'STANDARD',
  'partner_api', md5('location' || n / 50)::uuid, md5('location' || n / 100)::uuid,
  'Marienplatz 1, 80331 München', ${madeAt}, 1, '2026-01-15T09:30:00.000Z', 1,
  '[{"goods_type":"b","seal_id":null},{"goods_type":"b","seal_id":null}]', 2, ${madeAt},
  ${madeAt} + interval '1 hour' * (n % 7)
from generate_series(1, $2::int) n`;

const producedEvents = `
insert into produced_events (order_id, sequence, digest)
select ${idOf}, 1, sha256(n::text::bytea) from generate_series(1, $2::int) n
where $1::uuid is not null`;

/** Stored responses of a tenth of the orders. */
const idempotency = `
insert into idempotency (id, organization_id, route, key, body_sha256, answer)
select ${recently}, ${organizationOf}, 'POST /orders', 'K-' || n, sha256(n::text::bytea),
  convert_to(repeat('x', 900), 'UTF8')
from generate_series(1, $2::int / 10) n where $3::timestamptz is not null`;

/** Sent messages of a tenth of the orders. */
const outbox = `
insert into outbox (event_id, shard, topic, key, type, value, sent_at)
select ${recently}, n % 4, 'orders.order-events.v1', n::text, 'order.submitted',
  convert_to(repeat('x', 300), 'UTF8'), now()
from generate_series(1, $2::int / 10) n where $1::uuid is not null and $3::timestamptz is not null`;

export const orderRows = [locations, orders, producedEvents, idempotency, outbox];
