import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@pto/testing';
import { signalProcess } from '../../../e2e/kill.ts';
import type { LocalStack } from '../../../e2e/local-stack.ts';
import { drainMs } from './pod-drain.ts';
import type { Stage } from './rehearsal.ts';

const deadlineMs = 60_000;

/**
 * Returns a local stack whose gateways are those that take requests, as behind an ingress, and a
 * function that restarts all processes of some services, one of each service at a time, as
 * `kubectl rollout restart` does it.
 */
export const behindIngress = (stage: Stage, stack: LocalStack) => {
  const drained = new Set<string>();
  const file = () => {
    const found = stack.file();
    return { ...found, gateways: found.gateways.filter((url) => !drained.has(url)) };
  };
  /** Ends the process with this place in the list, and waits for the one that follows. */
  const restartOne = async (place: number): Promise<void> => {
    const { name, replica, pid } = stack.file().services[place]!;
    const gateway = name === 'gateway' ? stack.file().gateways[replica] : undefined;
    if (gateway) drained.add(gateway);
    await sleep(drainMs);
    signalProcess(pid, 'SIGTERM');
    await until(
      async () => {
        const next = stack.file().services[place]!;
        return next.pid !== pid && (await fetch(next.healthUrl)).ok;
      },
      { deadlineMs, what: `${name} ${replica} to be ready again` },
    );
    if (gateway) drained.delete(gateway);
  };
  return {
    stack: { ...stack, file } satisfies LocalStack as LocalStack,
    restart: async (...names: readonly string[]): Promise<void> => {
      stage.note(`  rollout restart: ${names.join(', ')}`);
      const { services } = stack.file();
      await Promise.all(
        names.map(async (name) => {
          for (const [place, one] of services.entries())
            if (one.name === name) await restartOne(place);
        }),
      );
    },
  };
};

export type Ingress = ReturnType<typeof behindIngress>;
