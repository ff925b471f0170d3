import { execute, fragment, type Transaction } from '@pto/database';
import type { KeyRing } from '@pto/sealing';
import { readClock } from '../database-clock.ts';
import { type EndpointKey, tables } from '../schema/entities.ts';
import { addSecret } from '../secrets/endpoint-secrets.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';

/**
 * POST /webhooks/{endpoint_id}/secret/rotate, and the same for operators: returns a new signing
 * secret; no later call returns it. During the overlap, deliveries are signed with the old and the new secret.
 * @throws Failure NOT_FOUND.
 */
export const rotateEndpointSecret = async (
  { db, ring }: Pick<EndpointDeps, 'db' | 'ring'>,
  key: EndpointKey,
  overlapSeconds: number,
) => {
  const rotated = await db.transaction(async (tx) => {
    await findEndpoint(tx, key, 'update');
    return rotateSecret(tx, ring, key, overlapSeconds);
  });
  return { endpoint: await findEndpoint(db, key), ...rotated };
};

/** Maximum number of an endpoint's secrets that sign; the header has a signature of each. */
const atOnceMax = 4;

/** Numbers the current secrets of an endpoint, newest first. */
const numbered = ({ organizationId, id }: EndpointKey) =>
  tables
    .selectFrom('endpoint_secrets')
    .select(({ fn }) => [
      'id',
      fn
        .agg<string>('row_number')
        .over((over) => over.orderBy('created_at', 'desc').orderBy('id', 'desc'))
        .as('count'),
    ])
    .where('organization_id', '=', organizationId)
    .where('endpoint_id', '=', id)
    .where(({ eb, or }) =>
      or([eb('expires_at', 'is', null), eb('expires_at', '>', fragment<string>`now()`)]),
    );

const limited = (key: EndpointKey, overlapSeconds: number) =>
  tables
    .updateTable('endpoint_secrets as s')
    .from(numbered(key).as('newer'))
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
    .where('s.organization_id', '=', key.organizationId)
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
  key: EndpointKey,
  overlapSeconds: number,
): Promise<{ secret: string; previousExpiresAt: Date }> => {
  const previous = await execute(tx, limited(key, overlapSeconds));
  await execute(
    tx,
    tables
      .deleteFrom('endpoint_secrets')
      .where('organization_id', '=', key.organizationId)
      .where('endpoint_id', '=', key.id)
      .where('expires_at', '<=', fragment<string>`now() - interval '1 day'`),
  );
  const ends = previous.map(({ expires_ms }) => expires_ms);
  const secret = await addSecret(tx, ring, key);
  const now = (await readClock(tx))();
  return { secret, previousExpiresAt: new Date(Math.max(now, ...ends)) };
};
