import { randomInt } from 'node:crypto';
import { ConfigError } from '@pto/config';
import {
  bulkStatement,
  type Database,
  execute,
  fragment,
  type Placeholders,
  type Sql,
  uuidv7,
} from '@pto/database';
import type { KeyRing } from '@pto/sealing';
import { type EndpointKey, tables } from '../schema/entities.ts';
import { openSecret, sealSecret } from './seal.ts';
import type { SealedRow } from './sign.ts';

/**
 * Returns the secret with which an endpoint was created. It is stored for at least a day after that,
 * because a rotation deletes only secrets that expired a day before.
 * @throws Error if the ring lacks its key.
 */
export const firstSecret = async (
  sql: Sql,
  ring: KeyRing,
  { organizationId, id }: EndpointKey,
): Promise<string> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(['sealing_key', 'sealed'])
      .where('organization_id', '=', organizationId)
      .where('endpoint_id', '=', id)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  );
  if (!row) throw new Error(`endpoint ${id} has no secret`);
  return openSecret(ring, id, row);
};

/** Returns the sealed secrets that sign now, newest first. */
export const currentSecrets = (
  sql: Sql,
  { organizationId, id }: EndpointKey,
): Promise<SealedRow[]> =>
  execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(({ ref }) => [
        'sealing_key',
        fragment<string>`translate(encode(${ref('sealed')}, 'base64'), E'\\n', '')`.as('sealed'),
      ])
      .where('organization_id', '=', organizationId)
      .where('endpoint_id', '=', id)
      .where(({ eb, or }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', fragment<string>`now()`)]),
      )
      .orderBy('created_at', 'desc'),
  );

/** Stores a new sealed secret for an endpoint. Returns the secret; no later call can return it. */
export const addSecret = async (
  tx: Sql,
  ring: KeyRing,
  { organizationId, id }: EndpointKey,
): Promise<string> => {
  const secret = newSecret();
  const sealed = sealSecret(ring, id, secret);
  const row = { organization_id: organizationId, id: uuidv7(), endpoint_id: id, ...sealed };
  await execute(tx, tables.insertInto('endpoint_secrets').values(row));
  return secret;
};

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 43;

/**
 * Returns a new signing secret: `whsec_` and 43 base62 characters, 256 random bits (decision 37).
 */
export const newSecret = (): string =>
  `whsec_${Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('')}`;

const batchMax = 500;

const update = bulkStatement(
  { organization_id: 'uuid', id: 'uuid', sealed: 'bytea' },
  (rows, given: Placeholders<{ keyId: string }>) =>
    tables
      .updateTable('endpoint_secrets as s')
      .from(rows('g'))
      .set(({ ref }) => ({ sealing_key: given.keyId, sealed: ref('g.sealed') }))
      .whereRef('s.organization_id', '=', 'g.organization_id')
      .whereRef('s.id', '=', 'g.id'),
);

/**
 * Seals up to 500 secrets again with the ring's first key, so that an old key can be removed from
 * the ring. The secrets do not change.
 * @returns how many were sealed again, and how many are still sealed with another key.
 * @throws Error if the ring lacks the key of a secret.
 */
export const resealSecrets = (
  db: Database,
  ring: KeyRing,
): Promise<{ resealed: number; remaining: number }> =>
  db.transaction(async (tx) => {
    const present = ring.keys[0]!.id;
    const others = tables.selectFrom('endpoint_secrets').where('sealing_key', '<>', present);
    const rows = await execute(
      tx,
      others
        .select(['organization_id', 'id', 'endpoint_id', 'sealing_key', 'sealed'])
        .orderBy('id')
        .limit(batchMax)
        .forUpdate(),
    );
    const sealed = rows.map((row) => {
      const secret = openSecret(ring, row.endpoint_id, row);
      const { organization_id, id, endpoint_id } = row;
      return { organization_id, id, sealed: sealSecret(ring, endpoint_id, secret).sealed };
    });
    await update(tx, sealed, { keyId: present });
    const [left] = await execute(
      tx,
      others.select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count')),
    );
    return { resealed: rows.length, remaining: left!.count };
  });

/**
 * Checks at the start of the service that the ring has the keys of all sealed secrets. Without a
 * key, deliveries to the endpoints of its secrets could not be signed.
 * @throws ConfigError with the ids of missing keys.
 */
export const checkKeyRing = async (sql: Sql, ring: KeyRing): Promise<void> => {
  const present = ring.keys.map(({ id }) => id);
  const missing = await execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(({ cast, fn }) => ['sealing_key', cast<number>(fn.countAll(), 'integer').as('count')])
      .where(({ eb, val }) => eb('sealing_key', '<>', fragment<string>`all (${val(present)})`))
      .groupBy('sealing_key')
      .orderBy('sealing_key'),
  );
  if (missing.length > 0)
    throw new ConfigError(
      missing.map(
        (row) => `${ring.setting}: key ${row.sealing_key} is missing; ${row.count} secrets need it`,
      ),
    );
};
