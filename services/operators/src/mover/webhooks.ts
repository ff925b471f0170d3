/**
 * The rows of an organization in the database of webhooks. `probe_budgets` belongs to hosts, and the
 * tables of the bus to their cell. An organization's inbox needs no copy: the target's custody
 * announces no event again that the source's has announced.
 */
import { type Database, firstUuidv7, type Sql } from '@pto/database';
import {
  type Between,
  type CopiedTable,
  copyTable,
  deletionOf,
  nowMs,
  readPage,
  storeRows,
  takeMark,
} from './rows.ts';

/** Rows that stay: later copies have only those that were added or changed since. */
const history = {
  events: { name: 'events', key: { id: 'uuid' } },
  deliveries: { name: 'deliveries', key: { id: 'uuid' } },
  attempts: { name: 'attempts', key: { delivery_id: 'uuid', number: 'smallint' } },
  named_replays: { name: 'named_replays', key: { command_id: 'uuid' } },
} as const satisfies Readonly<Record<string, CopiedTable>>;

/**
 * Attempts whose response was erased, of any age: the bounds of `deliveries` leave out earlier ones.
 * An erasure after the first copy reaches the target by them.
 */
const erased: CopiedTable = {
  ...history.attempts,
  from: "(select * from attempts where response_body = '')",
};

const endpoints: CopiedTable = { name: 'endpoints', key: { id: 'uuid' } };

/** Rows with a foreign key to `endpoints`. */
const endpointParts: readonly CopiedTable[] = [
  { name: 'endpoint_secrets', key: { id: 'uuid' } },
  { name: 'endpoint_sequences', key: { endpoint_id: 'uuid' } },
  { name: 'endpoint_creations', key: { endpoint_id: 'uuid' } },
];

/**
 * Rows that come and go: every copy has all of them, and replaces those of the copy before. The
 * target numbers the queue and the quarantine itself, in the order of the source, so that its own
 * later deliveries come after them.
 */
const lists: readonly CopiedTable[] = [
  { name: 'deleted_endpoints', key: { id: 'uuid' } },
  { name: 'warnings', key: { id: 'uuid' } },
  { name: 'quarantined_deliveries', key: { position: 'bigint' }, numbered: ['position'] },
  {
    name: 'pending_deliveries',
    key: { position: 'bigint' },
    identity: ['delivery_id'],
    // leases end before the last copy, and belong to processes of the source
    numbered: ['position', 'lease_owner', 'leased_at', 'lease_until', 'due_if_lost_at'],
    // each page sorts the organization's queue: no index has its position
    pageRows: 10_000,
  },
];

/**
 * Where a copy ends, and the next one begins. The bounds save reading 30 days of rows again while the
 * organization is held.
 */
export interface WebhooksMark {
  /** `takeMark`. */
  readonly transaction: string;
  /** No event with a smaller id is added later. */
  readonly events: string;
  /** No delivery with a smaller id is added or changed later, and none gets an attempt. */
  readonly deliveries: string;
}

/** Takes a mark, all of it from one snapshot: a delivery changes only while it is queued. */
export const markWebhooks = (db: Database, organizationId: string): Promise<WebhooksMark> =>
  db.snapshot(async (sql) => {
    const transaction = await takeMark(sql);
    // the time of a new id is that of a dispatcher, whose clock may be behind
    const events = firstUuidv7((await nowMs(sql)) - 600_000);
    const oldest = ['pending_deliveries', 'quarantined_deliveries'].map(
      (table) => `(select delivery_id from ${table} where organization_id = $1
        order by delivery_id limit 1)`,
    );
    const [row] = await sql.query<{ id: string }>(
      `select least($2::uuid, ${oldest.join(', ')}) as id`,
      [organizationId, events],
    );
    return { transaction, events, deliveries: row!.id };
  });

/** Copies what has changed since the mark of the copy before: the queue after what it needs. */
export const copyWebhooks = async (
  between: Between,
  organizationId: string,
  since: WebhooksMark | undefined,
): Promise<void> => {
  const range = { organizationId, since: since?.transaction };
  const [events, deliveries] = [since?.events, since?.deliveries];
  await copyTable(between, history.events, { ...range, ...(events && { least: { id: events } }) });
  await copyTable(between, history.deliveries, {
    ...range,
    ...(deliveries && { least: { id: deliveries } }),
  });
  await copyTable(between, history.attempts, {
    ...range,
    ...(deliveries && { least: { delivery_id: deliveries } }),
  });
  await copyTable(between, erased, { organizationId });
  await copyTable(between, history.named_replays, range);
  await copyEndpoints(between, organizationId);
  for (const list of lists)
    await copyTable(between, list, { organizationId }, (tx) =>
      tx.query(`delete from ${list.name} where organization_id = $1`, [organizationId]),
    );
};

/**
 * Replaces the organization's endpoints, at most 20, and what belongs to them, as paused: the target
 * sends nothing before its release. An endpoint that stays is never deleted: its deletion would
 * delete what belongs to it.
 */
const copyEndpoints = async (
  { from, into, stored }: Between,
  organizationId: string,
): Promise<void> => {
  const pages = await from.snapshot(async (sql) => {
    const read: [CopiedTable, string][] = [];
    for (const table of [endpoints, ...endpointParts])
      for (let after: readonly string[] | null = null; ; ) {
        const page = await readPage(sql, table, { organizationId, after });
        read.push([table, page.rows]);
        if (page.next === null) break;
        after = page.next;
      }
    return read;
  });
  const count = await into(async (tx) => {
    for (const { name } of endpointParts)
      await tx.query(`delete from ${name} where organization_id = $1`, [organizationId]);
    const ofEndpoints = pages.filter(([table]) => table === endpoints).map(([, rows]) => rows);
    await tx.query(
      `delete from endpoints where organization_id = $1 and id <> all (array(
         select (r ->> 'id')::uuid from unnest($2::json[]) p, json_array_elements(p) r))`,
      [organizationId, ofEndpoints],
    );
    let sum = 0;
    for (const [table, rows] of pages) sum += await storeRows(tx, table, rows);
    await tx.query('update endpoints set paused = true where organization_id = $1', [
      organizationId,
    ]);
    return sum;
  });
  await stored(count);
};

const dayMs = 86_400_000;
/** The rotation of each cell drops older days at its own time (`daysKept` of webhooks). */
const daysCounted = 29;

/** The rows that source and target have alike after the last copy, as a condition for each table. */
export const countedWebhooks = async (sql: Sql): Promise<Readonly<Record<string, string>>> => {
  const today = Math.floor((await nowMs(sql)) / dayMs) * dayMs;
  const since = firstUuidv7(today - daysCounted * dayMs);
  return {
    ...{ endpoints: '', endpoint_secrets: '', endpoint_sequences: '', endpoint_creations: '' },
    ...{ pending_deliveries: '', quarantined_deliveries: '' },
    events: `id >= '${since}'`,
    deliveries: `id >= '${since}'`,
    attempts: `delivery_id >= '${since}'`,
  };
};

/** `endpoints` is last: its deletion deletes secrets, streams and creations. */
export const webhooksDeletions: readonly string[] = [
  ...['pending_deliveries', 'quarantined_deliveries', 'warnings', 'attempts', 'deliveries'],
  ...['events', 'named_replays', 'deleted_endpoints', 'endpoints'],
].map(deletionOf);
