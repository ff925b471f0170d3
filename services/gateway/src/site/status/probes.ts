import { within } from '@pto/lifecycle';
import type { Backends } from '../../backends.ts';

/** The state of a component as a partner sees it. */
export type State = 'available' | 'degraded' | 'unavailable';

/** A component of /status.json, with what was measured; null if it does not respond. */
export type Component = Measured & {
  /** The cell of a service, where there are several. */
  readonly cell?: string;
};

type Measured =
  | { readonly name: 'api' | 'orders'; readonly status: State }
  | {
      readonly name: 'custody';
      readonly status: State;
      /** Null before the first checkpoint, too. */
      readonly newest_checkpoint_at: string | null;
      readonly newest_checkpoint_age_seconds: number | null;
      /** How long entries have waited for a checkpoint; 0 if none waits. */
      readonly waiting_for_checkpoint_seconds: number | null;
    }
  | {
      readonly name: 'webhooks';
      readonly status: State;
      readonly oldest_due_delivery_seconds: number | null;
    };

/** What is probed: the services behind the gateway, and the gateway's own database. */
export interface Probed extends Pick<Backends, 'cells' | 'orders' | 'log' | 'webhooks'> {
  readonly ping: () => Promise<void>;
}

/** Maximum duration of a probe. */
const deadlineMs = 2000;

/** From when a component is degraded: the same times as of the alerts on these figures, in s. */
export const degradedFrom = { waitingForCheckpoint: 900, oldestDueDelivery: 300 };

/**
 * Probes each component once, the services in every cell. Does not reject: a component that does not
 * respond is unavailable.
 */
export const probe = async (probed: Probed): Promise<readonly Component[]> => {
  const { cells } = probed;
  const services = cells.flatMap((cell) =>
    [probeOrders, probeCustody, probeWebhooks].map(async (one) => ({
      ...(await one(probed, cell)),
      ...(cells.length > 1 && { cell }),
    })),
  );
  return Promise.all([probeApi(probed), ...services]);
};

const within2s = (cell: string) => ({ cell, deadline: performance.now() + deadlineMs });

const probeApi = async ({ ping }: Probed): Promise<Component> => {
  const isThere = await within(deadlineMs, 'the look-up of keys', ping()).then(
    () => true,
    () => false,
  );
  return { name: 'api', status: isThere ? 'available' : 'unavailable' };
};

const probeOrders = async ({ orders }: Probed, cell: string): Promise<Component> => {
  const found = await orders.getStatus({}, within2s(cell)).catch(() => null);
  return { name: 'orders', status: stateOf(found, (one) => !one.acceptsWrites) };
};

const probeCustody = async ({ log }: Probed, cell: string): Promise<Component> => {
  const found = await log.getStatus({}, within2s(cell)).catch(() => null);
  const isSigned = found !== null && found.checkpointSignedAt !== '';
  return {
    name: 'custody',
    status: stateOf(found, (one) => one.unanchoredSeconds >= degradedFrom.waitingForCheckpoint),
    newest_checkpoint_at: isSigned ? found.checkpointSignedAt : null,
    newest_checkpoint_age_seconds: isSigned ? Math.round(found.checkpointAgeSeconds) : null,
    waiting_for_checkpoint_seconds: found && Math.round(found.unanchoredSeconds),
  };
};

const probeWebhooks = async ({ webhooks }: Probed, cell: string): Promise<Component> => {
  const found = await webhooks.getStatus({}, within2s(cell)).catch(() => null);
  return {
    name: 'webhooks',
    status: stateOf(found, (one) => one.oldestDueSeconds >= degradedFrom.oldestDueDelivery),
    oldest_due_delivery_seconds: found && Math.round(found.oldestDueSeconds),
  };
};

const stateOf = <T>(found: T | null, isDegraded: (found: T) => boolean): State => {
  if (found === null) return 'unavailable';
  return isDegraded(found) ? 'degraded' : 'available';
};
