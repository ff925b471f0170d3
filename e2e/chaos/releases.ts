/**
 * Old and new replicas side by side: the run begins with the programs of another checkout, changes
 * to this checkout's while the workload goes on, goes back, and changes again
 * (docs/operators/upgrade.md).
 */
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPrograms } from '@pto/bundle';
import { type MigrationList, migrate } from '@pto/database';
import { checkout } from '../../local/src/checkout.ts';
import { programs } from '../../local/src/processes/programs.ts';
import { migrations as courier } from '../../services/courier/migrations/index.ts';
import { migrations as custody } from '../../services/custody/migrations/index.ts';
import { migrations as operators } from '../../services/operators/migrations/index.ts';
import { migrations as orders } from '../../services/orders/migrations/index.ts';
import { migrations as webhooks } from '../../services/webhooks/migrations/index.ts';
import { environmentOf } from '../kill.ts';
import type { LocalStack } from '../local-stack.ts';
import { replaceEach } from '../rolling.ts';
import type { World } from './world.ts';

type Release = 'earlier' | 'present';

const buildIn = async (root: string): Promise<string> => {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const dir = mkdtempSync(join(cache, 'release-'));
  await buildPrograms(root, programs, dir);
  return dir;
};

const present = new Map<string, MigrationList>(
  Object.entries({ operators, orders, custody, webhooks, courier }),
);

/** Runs the present migrations on each database, as the chart's Jobs do before the pods change. */
const migrateAll = async (stack: LocalStack): Promise<void> => {
  for (const { name, pid } of stack.file().services) {
    const migrations = present.get(name);
    const { MIGRATION_DATABASE_URL } = environmentOf(pid);
    if (migrations && MIGRATION_DATABASE_URL) await migrate(MIGRATION_DATABASE_URL, migrations);
  }
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
  const change = async (stack: LocalStack, release: Release, signal: AbortSignal) => {
    say(`change to the ${release} release`);
    point(release);
    const onFailure = (error: Error) => say(error.message);
    await replaceEach(stack, { signal, onFailure });
  };

  return {
    /** For the local stack. */
    env: { LOCAL_PROGRAMS: link },
    migrate: migrateAll,
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
        await change(world.stack, release, signal);
      }
    },
    close: () => {
      for (const dir of [link, dirs.earlier, dirs.present])
        rmSync(dir, { recursive: true, force: true });
    },
  };
};
