import type { BlockList } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { credentialsChanged, isScope, type OrderSide, type Scope } from '@pto/access';
import { createBatches } from '@pto/concurrency';
import { parseCidrs } from '@pto/config';
import { type Placeholders, type Sql, statement } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import type { Redis } from 'ioredis';
import { tables } from '../schema/tables.ts';

/** A known key with its organization, and what the key may do. */
export interface Credentials {
  readonly keyId: string;
  readonly organization: {
    readonly id: string;
    readonly name: string;
    readonly enabled: boolean;
    /** The cell whose services have the organization's orders, ledger and endpoints. */
    readonly cell: string;
    /** Whether the organization moves to another cell: `cell` must not be cached. */
    readonly isMoving: boolean;
  };
  readonly scopes: ReadonlySet<Scope>;
  /** Requests per minute; null: the gateway's default. */
  readonly limits: { readonly reads: number | null; readonly writes: number | null };
  /** Milliseconds since the epoch; Infinity: the key does not expire. */
  readonly expiresAt: number;
  readonly revoked: boolean;
  /** Client addresses that may use the key; null: any address (decision 60). */
  readonly allowedFrom: BlockList | null;
  /**
   * Name by which the requests are counted: the key, or all sessions of the portal with the same
   * parent together, so that links neither multiply a budget nor use up that of the integration. A
   * link for one order is counted alone, so that it uses up no budget of others.
   */
  readonly countedAs: string;
  /**
   * Name under which the requests take slots and wait: the organization, or all of its sessions of
   * the portal together, so that people with links do not fill the queues of its integration; its
   * links for one order together.
   */
  readonly sharesSlotsAs: string;
  /** Set for a link that shows one order for one side (decision 86), and permits nothing else. */
  readonly link: { readonly orderId: string; readonly side: OrderSide } | null;
  /** Set for a session of the portal (decision 69), which creates no links. */
  readonly isSession: boolean;
  /** Set: GET and HEAD alone. */
  readonly readOnly: boolean;
  /** Set: operations on this endpoint of webhooks alone. */
  readonly endpointId: string | null;
}

const selectKeys = statement((given: Placeholders<{ hashes: readonly Buffer[] }>) =>
  tables
    .selectFrom('credentials as k')
    .innerJoin('organizations as o', 'o.id', 'k.organization_id')
    .select(['k.hash', 'k.id', 'k.scopes', 'k.expires_at', 'k.revoked', 'k.reads_per_minute'])
    .select(['k.writes_per_minute', 'k.allowed_cidrs', 'k.is_session', 'k.parent_id'])
    .select([
      'k.read_only',
      'k.endpoint_id',
      'k.order_id',
      'k.side',
      'o.id as organization_id',
      'o.name',
      'o.enabled',
      'o.cell',
      'o.is_moving',
    ])
    .where(({ eb, fn }) => eb('k.hash', '=', fn.any(given.hashes))),
);

type Row = Awaited<ReturnType<typeof selectKeys>>[number];

const namesOf = ({ id, is_session, order_id, parent_id, organization_id }: Row) => {
  if (order_id !== null)
    return { countedAs: `link:${id}`, sharesSlotsAs: `links:${organization_id}` };
  return is_session
    ? {
        countedAs: `portal:${parent_id ?? organization_id}`,
        sharesSlotsAs: `portal:${organization_id}`,
      }
    : { countedAs: id, sharesSlotsAs: organization_id };
};

const credentialsOf = (row: Row): Credentials => ({
  keyId: row.id,
  organization: {
    id: row.organization_id,
    name: row.name,
    enabled: row.enabled,
    cell: row.cell,
    isMoving: row.is_moving,
  },
  scopes: new Set(row.scopes.filter(isScope)),
  limits: { reads: row.reads_per_minute, writes: row.writes_per_minute },
  expiresAt: row.expires_at === null ? Number.POSITIVE_INFINITY : Date.parse(row.expires_at),
  revoked: row.revoked,
  allowedFrom: row.allowed_cidrs && parseCidrs(row.allowed_cidrs.join()),
  ...namesOf(row),
  link: row.order_id === null ? null : { orderId: row.order_id, side: row.side! },
  isSession: row.is_session,
  readOnly: row.read_only,
  endpointId: row.endpoint_id,
});

/** Maximum age of cached credentials in ms: a revocation must take effect within 5 s (decision 20). */
const maxAgeMs = 4000;
/** Maximum number of cached keys, look-ups that run included. */
const entriesMax = 10_000;

const batchMax = 1000;
/** Minimum time between two statements for all throttled addresses together, in ms. */
const throttledPauseMs = 100;

/**
 * Finds keys for the requests of this replica: among the look-ups of the last 4 s, else in the
 * database, by one statement at a time. Concurrent requests with one key share one look-up. Unknown
 * keys are not cached, so they do not displace known ones. Throttled addresses share one look-up of
 * 1000 keys per 100 ms, so their unknown keys cost at most ten statements per second. Only the first
 * request with a valid key from a throttled address is delayed, by 100 to 200 ms: a key that this
 * replica has found before is looked up again as from any other address. A key of an organization
 * that moves to another cell is looked up for each request. A move switches more than 4 s after the
 * organization began to move, so no request that begins later goes to the former cell.
 */
export const createKeyLookup = (sql: Sql) => {
  /** By the name of the key, the oldest first. */
  const cache = new Map<
    string,
    { at: number; found: Promise<Credentials | null>; isKnown: boolean; isMoving: boolean }
  >();
  const batched = (pauseMs: number) => {
    let startedAt = Number.NEGATIVE_INFINITY;
    return createBatches<string, Credentials | null>(
      async (names) => {
        const pause = startedAt + pauseMs - performance.now();
        if (pause > 0) await sleep(pause);
        startedAt = performance.now();
        const hashes = names.map((name) => Buffer.from(name, 'base64'));
        const rows = await selectKeys(sql, { hashes });
        const found = new Map(rows.map((row) => [row.hash.toString('base64'), credentialsOf(row)]));
        return (name) => found.get(name) ?? null;
      },
      { inFlightMax: 1, batchMax },
    );
  };
  const lookUp = batched(0);
  const lookUpThrottled = batched(throttledPauseMs);
  return {
    /**
     * Returns the credentials of the key with this name (`hashText`), or null for an unknown key.
     * @param isThrottled called only if this replica has not found the key before.
     */
    find: (name: string, isThrottled: () => Promise<boolean>): Promise<Credentials | null> => {
      const seen = cache.get(name);
      if (seen && !seen.isMoving && performance.now() - seen.at < maxAgeMs) return seen.found;
      const found = seen?.isKnown
        ? lookUp(name)
        : isThrottled().then((is) => (is ? lookUpThrottled : lookUp)(name));
      // a look-up that runs while the organization moves is not shared either
      const isMoving = seen?.isMoving ?? false;
      const entry = { at: performance.now(), found, isKnown: false, isMoving };
      cache.delete(name); // so that the name moves to the end
      cache.set(name, entry);
      if (cache.size > entriesMax) cache.delete(cache.keys().next().value!);
      const drop = () => {
        if (cache.get(name) === entry) cache.delete(name);
      };
      found.then((credentials) => {
        entry.isKnown = credentials !== null;
        entry.isMoving = credentials?.organization.isMoving ?? false;
        if (credentials === null) drop();
      }, drop);
      return found;
    },
    /** Makes the next request with each key read the database, after an operator's change. */
    forget: (): void => {
      for (const entry of cache.values()) entry.at = Number.NEGATIVE_INFINITY;
    },
  };
};

export type KeyLookup = ReturnType<typeof createKeyLookup>;

/**
 * Calls `forget` when the operators service reports a changed key or organization through Redis, so
 * that a revocation takes effect immediately. Without Redis, a revocation takes effect when the
 * cached credentials expire, within 5 s.
 */
export const onCredentialsChanged = (
  redis: Redis | null,
  forget: () => void,
  { log }: Telemetry,
): { stop(): void } => {
  const subscriber = redis?.duplicate({ autoResubscribe: false });
  subscriber?.on('error', () => {}); // the main connection logs the same error
  subscriber?.on('ready', () => {
    subscriber.subscribe(credentialsChanged).catch((err) => {
      log.warn(
        { err },
        'cannot subscribe to changes of keys: cached keys stay valid for up to 5 s',
      );
    });
  });
  subscriber?.on('message', forget);
  return { stop: () => subscriber?.disconnect() };
};
