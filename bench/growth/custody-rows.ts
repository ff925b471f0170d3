/**
 * Statements that fill custody's database with a chain of one entry for each order. The log does not
 * contain them, and their hashes are of no use: only reads of entries are measured.
 */
import { idOf, organizationOf } from './row-numbers.ts';

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
