import type { Database } from '@pto/database';
import type { KeyRing } from './key-ring.ts';
import { open, seal } from './seal.ts';

const batchMax = 500;

/**
 * Seals a batch of secrets again with the ring's first key, so that an old key can be taken out of
 * it. The secrets themselves stay.
 * @returns how many were, and how many are still sealed with another key.
 * @throws Error where a key is missing in the ring.
 */
export const resealSecrets = (
  db: Database,
  ring: KeyRing,
): Promise<{ resealed: number; remaining: number }> =>
  db.transaction(async (tx) => {
    const present = ring[0]!.id;
    const rows = await tx.query<{
      id: string;
      endpoint_id: string;
      sealing_key: string;
      sealed: Buffer;
    }>(
      `select id, endpoint_id, sealing_key, sealed from endpoint_secrets
       where sealing_key <> $1 order by id limit $2 for update`,
      [present, batchMax],
    );
    const sealed = rows.map((row) =>
      seal(
        ring,
        row.endpoint_id,
        open(ring, row.endpoint_id, { keyId: row.sealing_key, bytes: row.sealed }),
      ),
    );
    await tx.query(
      `update endpoint_secrets s set sealing_key = $3, sealed = given.sealed
       from unnest($1::uuid[], $2::bytea[]) as given (id, sealed) where s.id = given.id`,
      [rows.map(({ id }) => id), sealed.map(({ bytes }) => bytes), present],
    );
    const [left] = await tx.query<{ count: number }>(
      'select count(*)::int as count from endpoint_secrets where sealing_key <> $1',
      [present],
    );
    return { resealed: rows.length, remaining: left!.count };
  });
