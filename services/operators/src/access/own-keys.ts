import { randomBytes } from 'node:crypto';
import { derivedApiKey, type Environment, hashSecret, newApiKey } from '@pto/access';
import { clockTimestamp, type Database, execute, fragment, isUuid, type Sql } from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import type { RotateOwnKeyRequest } from '@pto/proto/access/v1/own_keys';
import { found, notFound, shown } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import { areWithin } from './allowed-cidrs.ts';
import { keyColumns, lockKey, replaceKey } from './replace-key.ts';

const listedMax = 500;
/**
 * A key that rotates itself, or the key of a session, works on for this long: a lost response can be
 * repeated.
 */
const ownOverlapMinSeconds = 60;
/** Keys of an organization that are new in a day, above which partners rotate none. */
const newInADayMax = 100;

const dayAgo = fragment<string>`clock_timestamp() - interval '1 day'`;

/**
 * Returns the key of a secret, or the session's parent with the scopes of the session.
 * @throws Failure INVALID_API_KEY, INSUFFICIENT_SCOPE; the gateway has checked both
 */
const callerOf = async (sql: Sql, secret: string) => {
  const [caller] = await execute(
    sql,
    tables
      .selectFrom('credentials as c')
      .innerJoin('api_keys as k', (join) =>
        join.on(({ eb, fn }) => eb('k.id', '=', fn.coalesce('c.parent_id', 'c.id'))),
      )
      .select(['c.organization_id', 'c.scopes', 'c.read_only', 'c.endpoint_id'])
      .select(['k.id as key_id', 'k.allowed_cidrs', 'k.expires_at'])
      .where('c.hash', '=', hashSecret(secret))
      .where('c.revoked', '=', false)
      .where(({ eb, or }) =>
        or([eb('c.expires_at', 'is', null), eb('c.expires_at', '>', clockTimestamp)]),
      ),
  );
  if (!caller) throw new Failure('INVALID_API_KEY', 'This API key is not known.');
  if (!caller.scopes.includes('keys:rotate') || caller.endpoint_id !== null)
    throw new Failure('INSUFFICIENT_SCOPE', 'This key does not have the scope keys:rotate.', {
      details: { required_scope: 'keys:rotate' },
    });
  return caller;
};

type Caller = Awaited<ReturnType<typeof callerOf>>;

/** The organization's keys whose scopes the caller has; the networks are not compared. */
const keysWithin = ({ organization_id, scopes }: Caller) =>
  tables
    .selectFrom('api_keys as k')
    .where('k.organization_id', '=', organization_id)
    .where(fragment<boolean>`k.scopes <@ ${scopes}::text[]`);

const isLive = fragment<boolean>`k.revoked_at is null
  and (k.expires_at is null or k.expires_at > clock_timestamp())`;

/** Whether the key that a rotation replaced by this one is still valid. */
const hasPrevious = fragment<boolean>`exists (select from api_keys p
  where p.organization_id = k.organization_id and p.replaced_by = k.id
    and p.revoked_at is null and (p.expires_at is null or p.expires_at > clock_timestamp()))`;

const outlives = (key: { readonly expires_at: string | null }, caller: Caller): boolean =>
  caller.expires_at !== null &&
  (key.expires_at === null || Date.parse(key.expires_at) > Date.parse(caller.expires_at));

const notNow = (message: string): Failure => new Failure('KEY_ROTATION_NOT_ALLOWED', message);

const reused = (message: string): Failure => new Failure('IDEMPOTENCY_KEY_REUSED', message);

/**
 * Serves the keys that a partner sees and rotates with the scope `keys:rotate`. A caller gains no
 * right: it sees a key only if it has all of its scopes and may be used from all of its networks, and
 * rotates none that ends later than its own key. A key and the one that it replaced are the most that
 * work at the same time, so that rotations do not multiply budgets.
 * @param changed called after a rotation.
 */
export const ownKeys = (db: Database, environment: Environment, changed: () => void) => {
  /** Returns a rotation of the last day with the idempotency key of the request. */
  const replayOf = async (sql: Sql, caller: Caller, request: RotateOwnKeyRequest) => {
    const [before] = await execute(
      sql,
      tables
        .selectFrom('key_rotations as r')
        .innerJoin('api_keys as issued', 'issued.id', 'r.issued_id')
        .innerJoin('api_keys as old', 'old.id', 'r.replaced_id')
        .select(['r.body_sha256', 'r.replaced_id', 'r.seed', 'issued.id', 'issued.hash'])
        .select('old.expires_at')
        .where('r.organization_id', '=', caller.organization_id)
        .where('r.idempotency_key', '=', request.idempotencyKey)
        .where('r.rotated_at', '>', dayAgo),
    );
    if (!before) return undefined;
    if (before.replaced_id !== request.id || !before.body_sha256.equals(request.bodySha256))
      throw reused('This Idempotency-Key was sent with another key or body.');
    const newSecret = secretOf(request, before.seed);
    if (!before.hash.equals(hashSecret(newSecret)))
      throw reused('Only the API key that sent this Idempotency-Key gets the response again.');
    const previousExpiresAt = new Date(before.expires_at!).toISOString();
    return { id: before.id, newSecret, previousExpiresAt, replayed: true };
  };
  /** Neither the seed, nor the caller's secret, which is not stored, tells the new key. */
  const secretOf = ({ secret, idempotencyKey }: RotateOwnKeyRequest, seed: Buffer): string =>
    derivedApiKey(environment, secret, `${seed.toString('hex')} ${idempotencyKey}`);

  return {
    listOwnKeys: async ({ secret }: { secret: string }) => {
      const caller = await callerOf(db, secret);
      const rows = await execute(
        db,
        keysWithin(caller)
          .select(keyColumns.map((column) => `k.${column}` as const))
          .select(['k.replaced_by', hasPrevious.as('has_previous')])
          .where(isLive)
          .orderBy('k.id', 'desc')
          .limit(listedMax),
      );
      const keys = rows
        .filter((row) => areWithin(row.allowed_cidrs, caller.allowed_cidrs))
        .map(({ replaced_by, has_previous, ...key }) => ({
          key: shown(key),
          replacedBy: replaced_by ?? '',
          rotatable:
            !caller.read_only && replaced_by === null && !has_previous && !outlives(key, caller),
        }));
      return { keys };
    },
    /**
     * Replaces a key. With an idempotency key, a repetition within 24 h gets the same response.
     * @throws Failure NOT_FOUND for a key that the caller does not see, KEY_ROTATION_NOT_ALLOWED,
     *   VALIDATION, IDEMPOTENCY_KEY_REUSED
     */
    rotateOwnKey: async (request: RotateOwnKeyRequest) => {
      const { secret, id, overlapSeconds, idempotencyKey, bodySha256 } = request;
      if (!isUuid(id)) throw notFound('api key');
      const rotated = await db.transaction(async (tx) => {
        const caller = await callerOf(tx, secret);
        // locks it before the replay is looked for: of two equal requests one rotates
        const visible = keysWithin(caller).select('k.allowed_cidrs').where('k.id', '=', id);
        const { allowed_cidrs } = found(await execute(tx, visible), 'api key');
        if (caller.read_only || !areWithin(allowed_cidrs, caller.allowed_cidrs))
          throw notFound('api key');
        const old = await lockKey(tx, id);
        const replay = idempotencyKey === '' ? undefined : await replayOf(tx, caller, request);
        if (replay) return replay;
        if (old.replaced_by !== null)
          throw notNow(`This key was rotated before; rotate ${old.replaced_by}.`);
        if (old.ended) throw notNow('This key has ended. Ask the operator for one.');
        if (outlives(old, caller)) throw notNow('This key ends later than the one that you use.');
        const [state] = await execute(
          tx,
          tables
            .selectFrom('api_keys as k')
            .select(hasPrevious.as('has_previous'))
            .select(({ selectFrom }) =>
              selectFrom('api_keys as n')
                .select(({ fn }) => fn.countAll<string>().as('count'))
                .where('n.organization_id', '=', caller.organization_id)
                .where('n.created_at', '>', dayAgo)
                .as('new_in_a_day'),
            )
            .where('k.id', '=', id),
        );
        if (state!.has_previous)
          throw notNow('The key that this one replaced still works. Rotate again after its end.');
        if (Number(state!.new_in_a_day) >= newInADayMax)
          throw notNow(`Your organization got ${newInADayMax} keys in a day. Rotate later.`);
        if (id === caller.key_id && overlapSeconds < ownOverlapMinSeconds)
          throw invalid(
            ['overlap'],
            `at least ${ownOverlapMinSeconds} for the key with which you call`,
            overlapSeconds,
          );
        const seed = randomBytes(32);
        const newSecret = idempotencyKey === '' ? newApiKey(environment) : secretOf(request, seed);
        const { key, replaced } = await replaceKey(tx, old, overlapSeconds, newSecret);
        if (idempotencyKey !== '') {
          await execute(tx, tables.deleteFrom('key_rotations').where('rotated_at', '<=', dayAgo));
          const row = {
            organization_id: caller.organization_id,
            idempotency_key: idempotencyKey,
            body_sha256: Buffer.from(bodySha256),
            ...{ replaced_id: id, issued_id: key.id, seed },
          };
          const stored = tables
            .insertInto('key_rotations')
            .values(row)
            .onConflict((conflict) => conflict.doNothing())
            .returning('issued_id');
          if ((await execute(tx, stored)).length === 0)
            throw reused('This Idempotency-Key was sent with another key.');
        }
        return { id: key.id, newSecret, previousExpiresAt: replaced.expiresAt!, replayed: false };
      });
      if (!rotated.replayed) changed();
      return rotated;
    },
  };
};
