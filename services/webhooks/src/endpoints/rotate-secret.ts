import { execute, fragment, type Transaction } from '@pto/database';
import type { KeyRing } from '@pto/sealing';
import { readClock } from '../database-clock.ts';
import { tables } from '../schema/entities.ts';
import { addSecret } from '../secrets/endpoint-secrets.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint, type Which } from './find-endpoint.ts';

/**
 * POST /webhooks/{endpoint_id}/secret/rotate, and the same for operators: returns a new signing
 * secret; no later call returns it. During the overlap, deliveries are signed with the old and the new secret.
 * @throws Failure NOT_FOUND.
 */
export const rotateEndpointSecret = async (
  { db, ring }: Pick<EndpointDeps, 'db' | 'ring'>,
  which: Which,
  overlapSeconds: number,
) => {
  const rotated = await db.transaction(async (tx) => {
    const { id } = await findEndpoint(tx, which, 'update');
    return rotateSecret(tx, ring, id, overlapSeconds);
  });
  return { endpoint: await findEndpoint(db, which), ...rotated };
};

/** Maximum number of an endpoint's secrets that sign; the header has a signature of each. */
const atOnceMax = 4;

/** Numbers the current secrets of an endpoint, newest first. */
const numbered = (endpointId: string) =>
  tables
    .selectFrom('endpoint_secrets')
    .select(({ fn }) => [
      'id',
      fn
        .agg<string>('row_number')
        .over((over) => over.orderBy('created_at', 'desc').orderBy('id', 'desc'))
        .as('count'),
    ])
    .where('endpoint_id', '=', endpointId)
    .where(({ eb, or }) =>
      or([eb('expires_at', 'is', null), eb('expires_at', '>', fragment<string>`now()`)]),
    );

const limited = (endpointId: string, overlapSeconds: number) =>
  tables
    .updateTable('endpoint_secrets as s')
    .from(numbered(endpointId).as('newer'))
    .set(({ eb, fn, ref }) => ({
      expires_at: eb
        .case()
        .when('newer.count', '>=', `${atOnceMax}`)
        .then(fragment<string>`now()`)
        .else(
          fn<string>('least', [
            ref('s.expires_at'),
            fragment`now() + ${overlapSeconds}::int * interval '1 second'`,
          ]),
        )
        .end(),
    }))
    .whereRef('newer.id', '=', 's.id')
    .returning(({ ref }) =>
      fragment<number>`(extract(epoch from ${ref('s.expires_at')}) * 1000)::float8`.as(
        'expires_ms',
      ),
    );

/**
 * Adds a new secret for an endpoint. A current secret also signs for `overlapSeconds`, or until its
 * own expiry if that is earlier. If the endpoint has four current secrets or more, all but the
 * three newest expire now.
 * @returns the new secret, and the time at which the last of the current secrets expires.
 */
export const rotateSecret = async (
  tx: Transaction,
  ring: KeyRing,
  endpointId: string,
  overlapSeconds: number,
): Promise<{ secret: string; previousExpiresAt: Date }> => {
  const previous = await execute(tx, limited(endpointId, overlapSeconds));
  await execute(
    tx,
    tables
      .deleteFrom('endpoint_secrets')
      .where('endpoint_id', '=', endpointId)
      .where('expires_at', '<=', fragment<string>`now() - interval '1 day'`),
  );
  const ends = previous.map(({ expires_ms }) => expires_ms);
  const secret = await addSecret(tx, ring, endpointId);
  const now = (await readClock(tx))();
  return { secret, previousExpiresAt: new Date(Math.max(now, ...ends)) };
};
