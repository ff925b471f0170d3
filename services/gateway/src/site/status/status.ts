import { cachedFor } from '@pto/concurrency';
import { type Objective, openObjectives } from './objectives.ts';
import { type Component, type Probed, probe, type State } from './probes.ts';

/** The body of /status.json. */
export interface Status {
  /** The worst state of all components. */
  readonly status: State;
  readonly checked_at: string;
  readonly components: readonly Component[];
  /** False if the operator publishes no measured shares: all are null. */
  readonly objectives_are_measured: boolean;
  readonly objectives: readonly Objective[];
}

/** Longer than a probe takes: clients of this time share its result. */
export const probeEveryMs = 5000;

/**
 * Returns a function that reports the state of each component, measured at most every 5 s by this
 * replica, however many clients ask. It does not reject.
 */
export const openStatus = (
  settings: { readonly statusPrometheusUrl: string; readonly statusPrometheusNamespace: string },
  probed: Probed,
): (() => Promise<Status>) => {
  const readObjectives = openObjectives({
    url: settings.statusPrometheusUrl,
    namespace: settings.statusPrometheusNamespace,
  });
  const read = cachedFor(probeEveryMs, async () => {
    const components = await probe(probed);
    return { checkedAt: new Date().toISOString(), components };
  });
  return async () => {
    const [{ checkedAt, components }, shares] = await Promise.all([read(), readObjectives()]);
    return {
      status: worst(components),
      checked_at: checkedAt,
      components,
      objectives_are_measured: settings.statusPrometheusUrl !== '',
      objectives: shares,
    };
  };
};

const worst = (components: readonly Component[]): State => {
  const states = components.map(({ status }) => status);
  return (['unavailable', 'degraded'] as const).find((one) => states.includes(one)) ?? 'available';
};
