import type { Bus } from '@pto/bus';
import { type Database, execute, fragment, isUuid, type Sql } from '@pto/database';
import { invalid } from '@pto/errors';
import { type Held, takeMark } from '@pto/moves';
import { Level, OrganizationMoveService } from '@pto/proto/moves/v1/moves';
import { implement } from '@pto/rpc';
import type { Deliverer } from '../deliverer/deliverer.ts';
import { tables } from '../schema/entities.ts';
import { countCopied } from './count-copied.ts';
import { exportPage } from './export-page.ts';
import { hold, release } from './hold.ts';
import { importPage } from './import-page.ts';
import { makeProbe, requireProbe, type SharedSettings } from './probe.ts';
import { retire } from './retire.ts';

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
    mark: async () => ({
      mark: await takeMark(db),
      schema: await schemaOf(db),
      probe: makeProbe(deps),
    }),
    export: (request) => {
      const { organizationId, since, page } = request;
      return exportPage(db, { organizationId: requireId(organizationId), since, page });
    },
    import: async ({ rows, ...held }) => ({ rows: await importPage(db, heldOf(held), rows) }),
    count: async ({ organizationId }) => ({
      rows: await countCopied(db, requireId(organizationId)),
    }),
    hold: async ({ level, probe, mark, ...held }) => {
      if (level === Level.UNSPECIFIED) throw invalid(['level'], 'is required');
      if (level === Level.ARRIVING) requireProbe(probe, deps);
      const { waits, mark: next } = await hold(deps, heldOf(held), level, mark);
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

const requireId = (organizationId: string): string => {
  if (!isUuid(organizationId))
    throw invalid(['organization_id'], 'expected a UUID', organizationId);
  return organizationId;
};

const heldOf = ({ organizationId, token }: Held): Held => ({
  organizationId: requireId(organizationId),
  token,
});

/** Returns the name of the newest migration of the database. */
const schemaOf = async (sql: Sql): Promise<string> => {
  const [row] = await execute(
    sql,
    tables.selectNoFrom(
      fragment<string>`(select max(name) from ${fragment.table('migrations')})`.as('name'),
    ),
  );
  return row!.name;
};
