import { execute, fragment, isoMillis, type Sql, type Transaction } from '@pto/database';
import { Failure, invalid } from '@pto/errors';
import { readClock } from '../database-clock.ts';
import { rehearsalFaults, rehearsalMaxMs, speedMax } from '../rehearsal/rehearsal.ts';
import { type Endpoint, type EndpointKey, tables } from '../schema/entities.ts';
import type { EndpointDeps } from './deps.ts';
import { findEndpoint } from './find-endpoint.ts';

/** A rehearsal as a partner asks for it. */
export interface WantedRehearsal {
  /** 1 to 60. */
  readonly speed: number;
  readonly faults: readonly string[];
  /** Milliseconds until its end, at most 24 h; 0 ends the rehearsal. */
  readonly forMs: number;
}

/** @throws Failure NOT_FOUND in production, which has no rehearsals (decision 67). */
export const requireSandbox = ({ rehearses }: Pick<EndpointDeps, 'rehearses'>): void => {
  if (rehearses) return;
  throw new Failure('NOT_FOUND', 'There are no rehearsals in production.', {
    details: { resource: 'rehearsal' },
  });
};

/** Returns the columns of a rehearsal. @throws Failure VALIDATION */
export const rehearsalColumns = ({ speed, faults, forMs }: WantedRehearsal) => {
  if (!(speed >= 1 && speed <= speedMax))
    throw invalid(['body', 'speed'], `expected 1 to ${speedMax}`, speed);
  const unknown = faults.find((fault) => !rehearsalFaults.some((known) => known === fault));
  if (unknown !== undefined) throw invalid(['body', 'faults'], 'is not a fault', unknown);
  if (forMs > rehearsalMaxMs) throw invalid(['body', 'duration'], 'expected at most 24h', forMs);
  return {
    rehearsal_speed: speed,
    rehearsal_faults: rehearsalFaults.filter((fault) => faults.includes(fault)),
    rehearsal_ends_at: fragment<string>`now() + ${forMs}::float8 * interval '1 ms'`,
  };
};

/**
 * Replaces an endpoint's rehearsal, and sends what the one before holds back.
 * @throws Failure NOT_FOUND, VALIDATION
 */
export const setRehearsal = async (
  deps: EndpointDeps,
  key: EndpointKey,
  wanted: WantedRehearsal,
): Promise<ShownRehearsal> => {
  requireSandbox(deps);
  const columns = rehearsalColumns(wanted);
  const shown = await deps.db.transaction(async (tx) => {
    const { id } = await findEndpoint(tx, key, 'no key update');
    await execute(
      tx,
      tables
        .updateTable('endpoints')
        .set(columns)
        .where('organization_id', '=', key.organizationId)
        .where('id', '=', id),
    );
    await sendHeldBack(tx, key);
    return showRehearsal(tx, await findEndpoint(tx, key));
  });
  deps.deliverer.wake();
  return shown;
};

/** Only a rehearsal postpones a delivery that has had no attempt. */
const sendHeldBack = (tx: Transaction, { organizationId, id }: EndpointKey) =>
  execute(
    tx,
    tables
      .updateTable('pending_deliveries')
      .set({ due_at: fragment<string>`now()` })
      .where('organization_id', '=', organizationId)
      .where('endpoint_id', '=', id)
      .where('due_at', '>', fragment<string>`now()`)
      .where('attempts', '=', 0),
  );

/** Returns an endpoint's rehearsal as partners see it. @throws Failure NOT_FOUND */
export const getRehearsal = async (
  deps: EndpointDeps,
  key: EndpointKey,
): Promise<ShownRehearsal> => {
  requireSandbox(deps);
  return showRehearsal(deps.db, await findEndpoint(deps.db, key));
};

interface ShownRehearsal {
  readonly speed: number;
  readonly faults: string[];
  /** ISO 8601; empty if no rehearsal is active. */
  readonly endsAt: string;
}

const showRehearsal = async (sql: Sql, endpoint: Endpoint): Promise<ShownRehearsal> => {
  const { rehearsal_speed: speed, rehearsal_faults: faults, rehearsal_ends_at: endsAt } = endpoint;
  if (endsAt === null) return none;
  const now = (await readClock(sql))();
  const isoEnd = isoMillis(endsAt);
  if (Date.parse(isoEnd) <= now) return none;
  return { speed: speed ?? 1, faults: faults ?? [], endsAt: isoEnd };
};

const none: ShownRehearsal = { speed: 1, faults: [], endsAt: '' };
