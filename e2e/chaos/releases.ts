/**
 * Old and new replicas side by side: the run begins with the programs of another checkout, changes
 * to this checkout's while the workload goes on, goes back, and changes again
 * (docs/operators/upgrade.md).
 */
import { mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPrograms } from '@pto/bundle';
import { until } from '@pto/testing';
import { checkout } from '../../local/src/checkout.ts';
import { programs } from '../../local/src/processes/programs.ts';
import { untilReady } from '../../local/src/processes/readiness.ts';
import { signalProcess } from '../kill.ts';
import type { World } from './world.ts';

const readyWithinMs = 60_000;

type Release = 'earlier' | 'present';

const buildIn = async (root: string): Promise<string> => {
  const dir = mkdtempSync(join(root, 'node_modules', '.cache', 'release-'));
  await buildPrograms(root, programs, dir);
  return dir;
};

/** @param earlier a checkout with its packages installed. */
export const openReleases = async (earlier: string, say: (line: string) => void) => {
  const dirs = { earlier: await buildIn(resolve(earlier)), present: await buildIn(checkout) };
  const link = `${dirs.present}.link`;
  const point = (release: Release) => {
    symlinkSync(dirs[release], `${link}.new`);
    renameSync(`${link}.new`, link);
  };
  point('earlier');

  /** Pod by pod, each ready before the next ends, unless a fault keeps it from being ready. */
  const change = async (world: World, release: Release, signal: AbortSignal) => {
    say(`change to the ${release} release`);
    point(release);
    for (const { name, replica } of world.stack.file().services) {
      if (signal.aborted) return;
      const find = () =>
        world.stack.file().services.find((one) => one.name === name && one.replica === replica)!;
      const before = find().pid;
      const begun = performance.now();
      signalProcess(before, 'SIGTERM');
      const what = `${name}-${replica} of the ${release} release to start`;
      await until(() => find().pid !== before, { deadlineMs: readyWithinMs, what })
        .then(() =>
          untilReady(find().healthUrl, readyWithinMs - (performance.now() - begun), signal),
        )
        .catch((error: Error) => say(error.message));
    }
  };

  return {
    /** For the local stack. */
    env: { LOCAL_PROGRAMS: link },
    /** Three changes, at a quarter, a half and three quarters of the time; an abort ends them. */
    play: async (world: World, endMs: number, signal: AbortSignal) => {
      const begun = performance.now();
      for (const [share, release] of [
        [0.25, 'present'],
        [0.5, 'earlier'],
        [0.75, 'present'],
      ] as const) {
        const waitMs = endMs * share - (performance.now() - begun);
        await sleep(Math.max(0, waitMs), undefined, { signal }).catch(() => {});
        await change(world, release, signal);
      }
    },
    close: () => {
      for (const dir of [link, dirs.earlier, dirs.present])
        rmSync(dir, { recursive: true, force: true });
    },
  };
};
