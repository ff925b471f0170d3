import { type ArrayOf, type Database, execute, type Given, statement, unnest } from '@pto/database';
import { tables } from '../schema/tables.ts';
import type { KeyRing } from './key-ring.ts';
import { open, seal } from './seal.ts';

const batchMax = 500;

interface Sealed {
  readonly id: ArrayOf<string>;
  readonly sealed: ArrayOf<Uint8Array>;
  readonly keyId: string;
}

const update = statement((given: Given<Sealed>) =>
  tables
    .updateTable('endpoint_secrets as s')
    .from(unnest('g', given, { id: 'uuid', sealed: 'bytea' }))
    .set(({ ref }) => ({ sealing_key: given.keyId, sealed: ref('g.sealed') }))
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
    const present = ring[0]!.id;
    const others = tables.selectFrom('endpoint_secrets').where('sealing_key', '<>', present);
    const rows = await execute(
      tx,
      others
        .select(['id', 'endpoint_id', 'sealing_key', 'sealed'])
        .orderBy('id')
        .limit(batchMax)
        .forUpdate(),
    );
    const sealed = rows.map((row) =>
      seal(
        ring,
        row.endpoint_id,
        open(ring, row.endpoint_id, { keyId: row.sealing_key, bytes: row.sealed }),
      ),
    );
    await update(tx, {
      id: rows.map(({ id }) => id),
      sealed: sealed.map(({ bytes }) => bytes),
      keyId: present,
    });
    const [left] = await execute(
      tx,
      others.select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count')),
    );
    return { resealed: rows.length, remaining: left!.count };
  });
