import type { Bus } from '@pto/bus';
import type { Database } from '@pto/database';
import { hasRows, heldOf, requireLevel, requireOrganization, servesIn } from '@pto/moves';
import { Level, OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { implement } from '@pto/rpc';
import { migrations } from '../../migrations/index.ts';
import type { Deliverer } from '../deliverer/deliverer.ts';
import { countCopied } from './count-copied.ts';
import { exportPage } from './export-page.ts';
import { hold, release } from './hold.ts';
import { importPage } from './import-page.ts';
import { mark } from './mark.ts';
import { makeProbe, requireProbe, type SharedSettings } from './probe.ts';
import { retire } from './retire.ts';

/** A cell that serves an organization has a row in one of these tables, if it has any. */
const ofServed = ['endpoints', 'events', 'deliveries', 'named_replays'];

/** The RPCs of a move of an organization's endpoints and deliveries to another cell. */
export const moveService = (
  deps: SharedSettings & {
    readonly db: Database;
    readonly bus: Bus;
    readonly deliverer: Pick<Deliverer, 'wake'>;
  },
) => {
  const { db } = deps;
  return implement(OrganizationMoveService, {
    mark: async (request) => ({
      mark: await mark(db, requireOrganization(request)),
      schema: migrations.at(-1)!.name,
      probe: makeProbe(deps),
    }),
    export: (request) => {
      const { since, page } = request;
      return exportPage(db, { organizationId: requireOrganization(request), since, page });
    },
    import: async ({ rows, ...held }) => ({ rows: await importPage(db, heldOf(held), rows) }),
    count: async (request) => ({ rows: await countCopied(db, requireOrganization(request)) }),
    serves: (request) => servesIn(db, request, (id) => hasRows(db, ofServed, id)),
    hold: async ({ probe, mark: before, ...request }) => {
      const level = requireLevel(request.level);
      if (level === Level.ARRIVING) requireProbe(probe, deps);
      const { waits, mark: next } = await hold(deps, heldOf(request), level, before);
      const left = waits.filter(({ count }) => count > 0);
      return {
        remaining: BigInt(left.reduce((sum, { count }) => sum + count, 0)),
        waitsFor: left.map(({ what }) => what).join(', '),
        mark: next,
      };
    },
    release: async (held) => {
      await release(db, heldOf(held));
      deps.deliverer.wake();
      return {};
    },
    retire: async (held) => ({ more: await retire(db, heldOf(held)) }),
  });
};
