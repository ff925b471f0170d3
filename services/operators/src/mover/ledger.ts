/**
 * The entries of an organization in the ledgers of two cells. The ledger is append-only: the source
 * keeps its chains, leaves and log, and the target appends the same entries to its own log, with the
 * same numbers in the organization's feed (decision 68).
 */
import { type ChainEntry, entryText, verifyChain } from '@pto/custody-verifier';
import type { Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import { type Between, type CopiedTable, readPage } from './rows.ts';

/** Entries with a leaf, by their numbers. */
const placed: CopiedTable = {
  name: 'entries',
  from: `(select l.organization_id, l.number, e.* from log_leaves l
    left join entries e on e.order_id = l.order_id and e.sequence = l.sequence)`,
  key: { number: 'bigint' },
};

const pageEntries = 1000;

const queued = `from log_queue q join chains c on c.order_id = q.order_id
  where c.organization_id = $1`;

/** Returns the numbers of the organization's newest leaf and of its newest entry; 0 before the first. */
export const newestNumbers = async (
  sql: Sql,
  organizationId: string,
): Promise<{ readonly placed: number; readonly all: number }> => {
  const [row] = await sql.query<{ placed: number; queued: number }>(
    `select coalesce((select number from feed_heads where organization_id = $1), 0)::float8 as placed,
       (select count(*) ${queued})::float8 as queued`,
    [organizationId],
  );
  return { placed: row!.placed, all: row!.placed + row!.queued };
};

/**
 * Appends the entries that the target lacks, up to a number of the source's feed.
 * @throws Failure ILLEGAL_TRANSITION if an entry contradicts the target's ledger, its chain or its
 *   own hash; then its page changes nothing. SERVICE_UNAVAILABLE while the target's log is halted.
 */
export const copyEntries = async (
  { from, into, stored }: Between,
  organizationId: string,
  target: Sql,
  until: number,
): Promise<void> => {
  let { all: number } = await newestNumbers(target, organizationId);
  while (number < until) {
    // no entry behind `until`: its order may be in no copy yet
    const pageRows = Math.min(pageEntries, until - number);
    const range = { organizationId, after: [`${number}`] };
    const page = await readPage(from, { ...placed, pageRows }, range);
    if (page.count === 0) throw lost(number + 1, organizationId);
    await into((tx) => appendPage(tx, organizationId, page.rows));
    await stored(page.count);
    number += page.count;
  }
};

const lost = (number: number, organizationId: string): Failure =>
  new Failure('INTERNAL', 'The entries cannot be read.', {
    cause: `entry ${number} of organization ${organizationId} is lost`,
  });

const contradicts = (what: string): Failure =>
  new Failure('ILLEGAL_TRANSITION', `A page of the ledger was not stored: it ${what}.`);

type StoredEntry = ChainEntry & {
  readonly order_id: string;
  readonly sequence: number;
  readonly canonical_text: string;
};

/**
 * Appends a page in one transaction of the target, and requires that each of its chains is valid
 * then. Entries are queued for the log in the order of their numbers, one page after the other: the
 * sequencer gives them the numbers that they have. Nothing is announced, because webhooks and orders
 * copy rows of their own.
 */
const appendPage = async (tx: Sql, organizationId: string, rows: string): Promise<number> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('move ' || $1, 0))`, [
    organizationId,
  ]);
  const halted = await tx.query('select from log_state where halted is not null');
  if (halted.length > 0) throw new Failure('SERVICE_UNAVAILABLE', 'The ledger is halted.');
  await rejectGap(tx, organizationId, rows);
  const page = `json_populate_recordset(null::entries, $1::json) with ordinality r`;
  await tx.query(
    `insert into chains (order_id, organization_id, sequence, head_hash)
     select distinct order_id, $2::uuid, 0, '' from ${page} order by order_id
     on conflict (order_id) do nothing`,
    [rows, organizationId],
  );
  const chains = await tx.query<{ order_id: string; organization_id: string }>(
    `select order_id, organization_id from chains
     where order_id in (select order_id from ${page}) order by order_id for update`,
    [rows],
  );
  const foreign = chains.find((chain) => chain.organization_id !== organizationId);
  if (foreign)
    throw contradicts(`has an entry of order ${foreign.order_id} of another organization`);
  await tx.query(
    `insert into entries select * from json_populate_recordset(null::entries, $1::json)`,
    [rows],
  );
  await tx.query(
    `insert into log_queue (order_id, sequence, event_hash)
     select order_id, sequence, event_hash from ${page} order by ordinality`,
    [rows],
  );
  const orderIds = chains.map(({ order_id }) => order_id);
  const heads = await verifiedHeads(tx, orderIds);
  await tx.query(
    `update chains c set sequence = h.sequence, head_hash = h.hash
     from unnest($1::uuid[], $2::int[], $3::text[]) as h (order_id, sequence, hash)
     where c.order_id = h.order_id`,
    [orderIds, heads.map(({ sequence }) => sequence), heads.map(({ hash }) => hash)],
  );
  return orderIds.length;
};

/** Requires that the page has the numbers that follow the newest entry, each with its entry. */
const rejectGap = async (tx: Sql, organizationId: string, rows: string): Promise<void> => {
  const { all } = await newestNumbers(tx, organizationId);
  const [gap] = await tx.query<{ number: number; wanted: number; is_lost: boolean }>(
    `select (r ->> 'number')::float8 as number, $2::float8 + n as wanted, r ->> 'id' is null as is_lost
     from json_array_elements($1::json) with ordinality as j (r, n)
     where (r ->> 'number')::float8 <> $2::float8 + n or r ->> 'id' is null
     order by n limit 1`,
    [rows, all],
  );
  if (gap?.is_lost) throw lost(gap.wanted, organizationId);
  if (gap) throw contradicts(`has entry ${gap.number} where ${gap.wanted} follows`);
};

/** Reads complete chains, verifies each, and returns their heads in the order of the ids. */
const verifiedHeads = async (tx: Sql, orderIds: readonly string[]) => {
  const entries = await tx.query<
    Omit<StoredEntry, 'payload'> & { readonly payload: string | null }
  >(
    `select order_id, sequence, id, type, internal_type, ts_utc, gps_lat, gps_lng, payload,
       prev_event_hash, event_hash, canonical_text
     from entries where order_id = any($1::uuid[]) order by order_id, sequence`,
    [orderIds],
  );
  const chains = Map.groupBy(entries, ({ order_id }) => order_id);
  return orderIds.map((orderId) => {
    const chain = (chains.get(orderId) ?? []).map(({ payload, ...entry }) => ({
      ...entry,
      payload: payload === null ? null : JSON.parse(payload),
    }));
    const invalid = (id: string, reason: string) =>
      contradicts(`makes the chain of order ${orderId} invalid at entry ${id}: ${reason}`);
    const own = chain.map(
      ({ order_id, sequence, canonical_text, ...entry }) => entry as ChainEntry,
    );
    const verdict = verifyChain(orderId, own);
    if (!verdict.valid) throw invalid(verdict.entryId, verdict.reason);
    for (const [n, { id, sequence, canonical_text }] of chain.entries()) {
      if (sequence !== n + 1) throw invalid(id, `entry ${n + 1} is numbered ${sequence}`);
      if (entryText(orderId, own[n]!) !== canonical_text)
        throw invalid(id, 'the stored canonical text is not what the entry says');
    }
    return { sequence: chain.length, hash: verdict.head };
  });
};

/** Greatest number of leaves that are compared at once. */
const comparedAtOnce = 20_000;

/**
 * Requires that both ledgers have the same entries with the same numbers.
 * @param after the number up to which they were compared before.
 * @returns the number up to which they are equal: that of the target's newest leaf.
 * @throws Failure ILLEGAL_TRANSITION
 */
export const compareLedgers = async (
  [source, target]: readonly [Sql, Sql],
  organizationId: string,
  after: number,
): Promise<number> => {
  const { placed: until } = await newestNumbers(target, organizationId);
  for (let from = after; from < until; from += comparedAtOnce) {
    const [one, other] = await Promise.all(
      [source, target].map((sql) =>
        sql.query<{ digest: string }>(
          `select md5(string_agg(concat_ws(' ', number, order_id, sequence, event_hash), ','
             order by number)) as digest
           from log_leaves where organization_id = $1 and number > $2 and number <= $3`,
          [organizationId, from, Math.min(until, from + comparedAtOnce)],
        ),
      ),
    );
    if (one![0]!.digest !== other![0]!.digest)
      throw contradicts(
        `would follow entries ${from + 1} to ${Math.min(until, from + comparedAtOnce)}, which differ between the ledgers`,
      );
  }
  return until;
};
