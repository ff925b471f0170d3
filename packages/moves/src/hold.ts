/**
 * Holds of organizations in the databases of a cell. The statements are text because the tables are
 * those of services.
 */
import type { Database, Sql } from '@pto/database';
import { Failure } from '@pto/errors';
import type { levels } from './held-organizations.ts';

/** An organization, and the token of the try of a move. */
export interface Try {
  readonly organizationId: string;
  readonly token: string;
}

type Level = (typeof levels)['paused' | 'held' | 'arriving'];

/** Runs work in a transaction that no other try has. */
export type InHold = <Result>(work: (tx: Sql) => Promise<Result>) => Promise<Result>;

/** What the changes of one service lock, and what says that its cell serves an organization. */
interface HeldService {
  /** Waits for changes in progress; later ones wait until the transaction ends. */
  lock(tx: Sql, organizationId: string): Promise<unknown>;
  /** Runs in the transaction of a hold. */
  whenHeld(tx: Sql, organizationId: string): Promise<unknown>;
  /** Runs in the transaction of a release. */
  whenReleased(tx: Sql, organizationId: string): Promise<unknown>;
  /** A cell that serves an organization has a row in one of these tables, if it has any. */
  readonly served: readonly string[];
}

const nothing = async (): Promise<void> => {};

/**
 * Sends nothing of paused endpoints. A creation whose response is not stored is continued by a
 * repetition at once, because the request that would have stored it was rejected.
 */
const pauseEndpoints = (paused: boolean) => async (tx: Sql, organizationId: string) => {
  await tx.query('update endpoints set paused = $2 where organization_id = $1 and paused <> $2', [
    organizationId,
    paused,
  ]);
  if (paused) return;
  await tx.query(
    `update endpoint_creations set finish_by = now()
     where organization_id = $1 and response is null`,
    [organizationId],
  );
};

/** Locks the changes of orders as src/change-time.ts of orders does, exclusively. */
export const lockOrders = (tx: Sql, organizationId: string) =>
  tx.query('select pg_advisory_xact_lock(14, hashtext($1::uuid::text))', [organizationId]);

/** Locks what changes of endpoints lock. `for update` of the endpoints waits for claims, too. */
const lockEndpoints = async (tx: Sql, organizationId: string): Promise<void> => {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('endpoints of ' || $1, 0))`, [
    organizationId,
  ]);
  for (const [table, id] of [
    ['endpoints', 'id'],
    ['endpoint_creations', 'endpoint_id'],
  ])
    await tx.query(`select from ${table} where organization_id = $1 order by ${id} for update`, [
      organizationId,
    ]);
};

/**
 * The services whose databases a move holds. Nothing of custody is stopped, since only events of
 * orders change it: its row says which try may append entries.
 */
const services = {
  orders: {
    lock: lockOrders,
    whenHeld: nothing,
    whenReleased: nothing,
    served: ['orders', 'locations', 'produced_events', 'idempotency'],
  },
  custody: { lock: nothing, whenHeld: nothing, whenReleased: nothing, served: [] },
  webhooks: {
    lock: lockEndpoints,
    whenHeld: pauseEndpoints(true),
    whenReleased: pauseEndpoints(false),
    served: ['endpoints', 'events', 'deliveries', 'named_replays'],
  },
} as const satisfies Readonly<Record<string, HeldService>>;

export type MovedService = keyof typeof services;

/** In the order in which holds begin and end. */
export const movedServices = Object.keys(services) as MovedService[];

/** Thrown for a target that serves the organization: nothing of it may be replaced or deleted. */
export class TargetServes extends Failure {
  constructor(name: MovedService) {
    super(
      'INTERNAL',
      `${name}: the target has rows of the organization and no move holds them, so it has more than a copy. The move changed no row. Check whether the database access was restored to a time before the switch.`,
    );
  }
}

const isLater = (): Failure =>
  new Failure('ILLEGAL_TRANSITION', 'Another try of a move holds the organization, or none does.');

/**
 * Holds an organization, or raises its level. After the commit no change of it is in progress.
 * @param check runs while changes wait, before the hold.
 * @throws Failure ILLEGAL_TRANSITION if a later token is stored, or if this token was released: the
 *   call was delayed.
 */
export const hold = (
  db: Database,
  name: MovedService,
  { organizationId, token }: Try,
  level: Level,
  check: (tx: Sql) => Promise<unknown> = nothing,
): Promise<void> =>
  db.transaction(async (tx) => {
    const { lock, whenHeld } = services[name];
    await lock(tx, organizationId);
    await check(tx);
    const held = await tx.query(
      `insert into held_organizations as h (organization_id, token, level) values ($1, $2, $3)
       on conflict (organization_id) do update set token = excluded.token, level = excluded.level
       where h.token < excluded.token
         or h.token = excluded.token and h.level between 1 and excluded.level
       returning 1`,
      [organizationId, token, level],
    );
    if (held.length === 0) throw isLater();
    await whenHeld(tx, organizationId);
  });

/**
 * Ends the hold. The row stays with level 0, so that no hold of this token or an earlier one begins
 * again.
 * @throws Failure ILLEGAL_TRANSITION if a later token is stored.
 */
export const release = (
  db: Database,
  name: MovedService,
  { organizationId, token }: Try,
): Promise<void> =>
  db.transaction(async (tx) => {
    const { lock, whenReleased } = services[name];
    await lock(tx, organizationId);
    const released = await tx.query(
      `insert into held_organizations as h (organization_id, token, level) values ($1, $2, 0)
       on conflict (organization_id) do update set token = excluded.token, level = 0
       where h.token <= excluded.token
       returning 1`,
      [organizationId, token],
    );
    if (released.length === 0) throw isLater();
    await whenReleased(tx, organizationId);
  });

/**
 * Requires that a cell has no rows but those of a copy, which it holds. A database `access` that was
 * restored to an earlier time contains moves that have switched since: then the target serves.
 * @throws TargetServes
 */
export const requireCopy = async (
  sql: Sql,
  name: MovedService,
  organizationId: string,
): Promise<void> => {
  const { served } = services[name];
  if (served.length === 0) return;
  const rows = served.map((table) => `exists (select from ${table} where organization_id = $1)`);
  const [found] = await sql.query<{ serves: boolean }>(
    `select (${rows.join(' or ')}) and not exists (select from held_organizations
       where organization_id = $1 and level > 0) as serves`,
    [organizationId],
  );
  if (found!.serves) throw new TargetServes(name);
};

/**
 * Returns a function that runs work in a transaction while this token holds the organization: no
 * other try begins in that time. The triggers that reject changes of a held organization let the
 * work pass.
 * @param level the least.
 */
export const holding =
  (db: Database, { organizationId, token }: Try, level: Level): InHold =>
  (work) =>
    db.transaction(async (tx) => {
      const held = await tx.query(
        `select set_config('moves.importing', $1, true) from held_organizations
         where organization_id = $1::uuid and token = $2 and level >= $3 for share`,
        [organizationId, token, level],
      );
      if (held.length === 0) throw isLater();
      return work(tx);
    });
