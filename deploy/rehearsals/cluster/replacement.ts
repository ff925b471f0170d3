import { until } from '@pto/testing';
import type { Stage } from '../stage/rehearsal.ts';
import type { Cluster } from './cluster.ts';
import { runningPods } from './eviction.ts';

const replacedWithinMs = 300_000;

/**
 * Runs a change that replaces all pods of some processes, and waits until the pods of before are
 * gone. The transcript has how long images of two releases served side by side, and of how many
 * processes at once.
 * @param processes all by default.
 * @returns of how many processes: 0 where all images are the same.
 */
export const replaceAll = async (
  on: Cluster,
  stage: Stage,
  change: () => Promise<unknown>,
  processes?: readonly string[],
): Promise<number> => {
  const concerned = async () =>
    (await runningPods(on)).filter(({ process }) => processes?.includes(process) ?? true);
  const old = (await concerned()).map(({ name }) => name);
  let [changed, first, last, mixed] = [false, 0, 0, 0];
  const changing = change().then(() => {
    changed = true;
  });
  const replaced = until(
    async () => {
      const now = await concerned();
      const ready = now.filter((pod) => pod.ready);
      const both = new Set(
        ready
          .filter((pod) =>
            ready.some((other) => other.process === pod.process && other.image !== pod.image),
          )
          .map(({ process }) => process),
      );
      if (both.size > 0) {
        last = performance.now();
        first ||= last;
        mixed = Math.max(mixed, both.size);
      }
      return changed && now.every(({ name }) => !old.includes(name));
    },
    { deadlineMs: replacedWithinMs, what: 'the end of the old pods' },
  );
  await Promise.all([changing, replaced]);
  if (mixed > 0)
    stage.note(
      `  ready pods of both releases for ${Math.round((last - first) / 1000)} s, of up to ${mixed} processes at once`,
    );
  return mixed;
};
