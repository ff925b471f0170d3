import { randomInt } from 'node:crypto';
import { execute, fragment, type Sql, uuidv7 } from '@pto/database';
import { tables } from '../schema/entities.ts';
import { type KeyRing, open, seal } from './seal.ts';
import type { SealedRow } from './sign.ts';

/**
 * Returns the secret with which an endpoint was created. It is stored for at least a day after that,
 * because a rotation deletes only secrets that expired a day before.
 * @throws Error if the ring lacks its key.
 */
export const firstSecret = async (sql: Sql, ring: KeyRing, endpointId: string): Promise<string> => {
  const [row] = await execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(['sealing_key', 'sealed'])
      .where('endpoint_id', '=', endpointId)
      .orderBy('created_at')
      .orderBy('id')
      .limit(1),
  );
  if (!row) throw new Error(`endpoint ${endpointId} has no secret`);
  return open(ring, endpointId, row);
};

/** Returns the sealed secrets that sign now, newest first. */
export const currentSecrets = (sql: Sql, endpointId: string): Promise<SealedRow[]> =>
  execute(
    sql,
    tables
      .selectFrom('endpoint_secrets')
      .select(({ ref }) => [
        'sealing_key',
        fragment<string>`translate(encode(${ref('sealed')}, 'base64'), E'\\n', '')`.as('sealed'),
      ])
      .where('endpoint_id', '=', endpointId)
      .where(({ eb, or }) =>
        or([eb('expires_at', 'is', null), eb('expires_at', '>', fragment<string>`now()`)]),
      )
      .orderBy('created_at', 'desc'),
  );

/** Stores a new sealed secret for an endpoint. Returns the secret; no later call can return it. */
export const addSecret = async (tx: Sql, ring: KeyRing, endpointId: string): Promise<string> => {
  const secret = newSecret();
  const row = { id: uuidv7(), endpoint_id: endpointId, ...seal(ring, endpointId, secret) };
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
