import type { Database } from '@pto/database';
import {
  decodePage,
  hasRows,
  heldOf,
  releaseOrganization,
  requireLevel,
  requireOrganization,
  servesIn,
} from '@pto/moves';
import { Level, OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { implement } from '@pto/rpc';
import { migrations } from '../../migrations/index.ts';
import type { CopyHead } from './copied-tables.ts';
import { countOrganization } from './count.ts';
import { exportPage } from './export-page.ts';
import { hold } from './hold.ts';
import { importPage } from './import-page.ts';
import { mark } from './mark.ts';
import { checkProbe, eraseProbe, makeProbe, type SharedSettings } from './probe.ts';
import { retire } from './retire.ts';

/** A cell that serves an organization has a row in one of these tables, if it has any. */
const ofServed = ['orders', 'locations', 'produced_events', 'idempotency'];

/** Serves moves of organizations between cells to the operators service. */
export const moveService = (
  deps: SharedSettings & {
    readonly db: Database;
    /** Time for which responses and ids of commands are stored, in ms. */
    readonly keepMs: number;
  },
) => {
  const { db, keepMs } = deps;
  const erase = async (organizationId: string, probeId: string) => {
    if (probeId !== '') await eraseProbe(deps, { organizationId, probeId });
  };
  return implement(OrganizationMoveService, {
    mark: async (request) => {
      const organizationId = requireOrganization(request);
      const { probeId } = request;
      return {
        mark: await mark(db, organizationId),
        schema: migrations.at(-1)!.name,
        ...(probeId !== '' && { probe: await makeProbe(deps, { organizationId, probeId }) }),
      };
    },
    export: (request) =>
      exportPage(db, { ...request, organizationId: requireOrganization(request) }, keepMs),
    import: async (request) => ({
      rows: await importPage(db, heldOf(request), decodePage<CopyHead>(request.rows)),
    }),
    count: async (request) => ({
      rows: await countOrganization(db, requireOrganization(request), keepMs),
    }),
    serves: (request) => servesIn(db, request, (id) => hasRows(db, ofServed, id)),
    hold: async (request) => {
      const held = heldOf(request);
      const level = requireLevel(request.level);
      // a later call of the level continues the first one
      if (level === Level.ARRIVING && request.mark === '')
        await checkProbe(deps, held.organizationId, request.probe);
      const remaining = await hold(db, held, level);
      return {
        remaining: BigInt(remaining),
        waitsFor: remaining > 0 ? 'events that custody has not stored' : '',
        mark: 'checked',
      };
    },
    release: async (request) => {
      const held = heldOf(request);
      await db.transaction((tx) => releaseOrganization(tx, held));
      await erase(held.organizationId, request.probeId);
      return {};
    },
    retire: async (request) => {
      const held = heldOf(request);
      const more = await retire(db, held);
      if (!more) await erase(held.organizationId, request.probeId);
      return { more };
    },
  });
};
