import { within } from '@pto/lifecycle';
import type { Backends } from '../../backends.ts';

/** The state of a component as a partner sees it. */
export type State = 'available' | 'degraded' | 'unavailable';

/** A component of /status.json, with what was measured; null if it does not respond. */
export type Component =
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
 * respond is unavailable. A service is one component of all cells, because anybody may read the
 * result: it is unavailable if no cell has it, and degraded if a part of the cells lacks it.
 */
export const probe = (probed: Probed): Promise<readonly Component[]> =>
  Promise.all([probeApi(probed), probeOrders(probed), probeCustody(probed), probeWebhooks(probed)]);

type Within = { readonly cell: string; readonly deadline: number };

/** Returns what each cell responds; null for one that does not. */
const inEach = <T>(cells: readonly string[], read: (within: Within) => Promise<T>) => {
  const deadline = performance.now() + deadlineMs;
  return Promise.all(cells.map((cell) => read({ cell, deadline }).catch(() => null)));
};

const probeApi = async ({ ping }: Probed): Promise<Component> => {
  const isThere = await within(deadlineMs, 'the look-up of keys', ping()).then(
    () => true,
    () => false,
  );
  return { name: 'api', status: isThere ? 'available' : 'unavailable' };
};

const probeOrders = async ({ cells, orders }: Probed): Promise<Component> => {
  const found = await inEach(cells, (at) => orders.getStatus({}, at));
  return { name: 'orders', status: stateOf(found, (one) => !one.acceptsWrites) };
};

const probeCustody = async ({ cells, log }: Probed): Promise<Component> => {
  const found = await inEach(cells, (at) => log.getStatus({}, at));
  const [newest] = found
    .filter((one) => one !== null && one.checkpointSignedAt !== '')
    .sort((a, b) => a!.checkpointAgeSeconds - b!.checkpointAgeSeconds);
  return {
    name: 'custody',
    status: stateOf(found, (one) => one.unanchoredSeconds >= degradedFrom.waitingForCheckpoint),
    newest_checkpoint_at: newest?.checkpointSignedAt ?? null,
    newest_checkpoint_age_seconds: newest ? Math.round(newest.checkpointAgeSeconds) : null,
    waiting_for_checkpoint_seconds: longest(found, (one) => one.unanchoredSeconds),
  };
};

const probeWebhooks = async ({ cells, webhooks }: Probed): Promise<Component> => {
  const found = await inEach(cells, (at) => webhooks.getStatus({}, at));
  return {
    name: 'webhooks',
    status: stateOf(found, (one) => one.oldestDueSeconds >= degradedFrom.oldestDueDelivery),
    oldest_due_delivery_seconds: longest(found, (one) => one.oldestDueSeconds),
  };
};

const stateOf = <T>(found: readonly (T | null)[], isDegraded: (found: T) => boolean): State => {
  if (found.every((one) => one === null)) return 'unavailable';
  return found.some((one) => one === null || isDegraded(one)) ? 'degraded' : 'available';
};

/** Returns the longest time of all cells in whole seconds; null if none responds. */
const longest = <T>(found: readonly (T | null)[], secondsOf: (found: T) => number) => {
  const seconds = found.flatMap((one) => (one === null ? [] : [secondsOf(one)]));
  return seconds.length === 0 ? null : Math.round(Math.max(...seconds));
};
