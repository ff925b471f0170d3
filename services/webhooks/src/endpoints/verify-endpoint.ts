import { execute, fragment } from '@pto/database';
import type { Failure } from '@pto/errors';
import { isHeld, requireNotHeld } from '@pto/moves';
import { handshake } from '../handshake/handshake.ts';
import type { HandshakeResult } from '../handshake/proof.ts';
import { type Endpoint, type EndpointKey, tables } from '../schema/entities.ts';
import { inConstantTime, reserveMs } from './constant-time.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';
import { returnProbe, spendProbe } from './probe-budget.ts';

/**
 * POST /webhooks/{endpoint_id}/verify: repeats the handshake. If it passes, the endpoint becomes
 * ENABLED from any status. If it fails, the status stays (decision 36). A held organization is
 * rejected before the handshake, because its caller repeats the call.
 * @throws Failure NOT_FOUND, RATE_LIMITED, ORGANIZATION_HELD.
 */
export const verifyEndpoint = async (deps: EndpointDeps, key: EndpointKey, deadline: number) => {
  const found = await findEndpoint(deps.db, key);
  await requireNotHeld(deps.db, key.organizationId);
  await spendProbe(deps.db, deps.probesPerHostPerMinute, found);
  const { verified, result, held } = await confirm(deps, { ...found, ...key }, deadline);
  if (held) throw held;
  return { endpoint: await findEndpoint(deps.db, key), verified, result };
};

/** The endpoint that a handshake confirms. */
type Confirmed = EndpointKey & Pick<Endpoint, 'url' | 'url_version' | 'status'>;

/**
 * Runs the handshake. If it passes, the endpoint becomes ENABLED and its failures are reset
 * (decision 36), and the probe that the caller has spent is returned. If the URL was changed
 * meanwhile, or a move holds the organization now, nothing changes and `verified` is false although
 * the handshake passed.
 * @returns `held`: the error of a held organization. It must not reach a caller that cannot be
 *   repeated: the first response alone has the secret of a new endpoint.
 */
export const confirm = async (
  { db, egress, deliverer, probesPerHostPerMinute, connectTimeoutMs, log }: EndpointDeps,
  { organizationId, id, url, url_version, status }: Confirmed,
  deadline: number,
): Promise<{ result: HandshakeResult; verified: boolean; held?: Failure }> => {
  const result = await inConstantTime(
    () => handshake(egress, { id, url }, deadline - reserveMs),
    ({ reason }) => reason === 'unreachable',
    { untilMs: connectTimeoutMs, deadline },
  );
  const { reason, statusCode, error } = result;
  if (reason !== null) {
    log.info({ endpointId: id, reason, statusCode, err: error }, 'handshake failed');
    return { result, verified: false };
  }
  await returnProbe(db, probesPerHostPerMinute, { url, status });
  try {
    const enabled = await execute(db, enable({ organizationId, id, url_version }));
    deliverer.wake();
    return { result, verified: enabled.length > 0 };
  } catch (error) {
    if (!isHeld(error)) throw error;
    return { result, verified: false, held: error };
  }
};

const enable = ({ organizationId, id, url_version }: Omit<Confirmed, 'url' | 'status'>) =>
  tables
    .updateTable('endpoints')
    .set({
      status: 'ENABLED',
      verified_at: fragment<string>`now()`,
      consecutive_failures: 0,
      failing_since: null,
      exhausted: 0,
      warned_level: 0,
      verify_by: null,
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('url_version', '=', url_version)
    .returning('id');
