import { mainCell } from '@pto/config';
import { type Database, execute, type Sql, uuidv7 } from '@pto/database';
import type { AccessService } from '@pto/proto/access/v1/access';
import type { Handlers } from '@pto/rpc';
import { requireCell } from '../cells.ts';
import { found, nextIdOf, pageSize, requireId, requireName, shown, startOf } from '../fields.ts';
import { tables } from '../schema/tables.ts';
import { requireAdministrators } from './administrators.ts';

const nameMax = 200;

/** Returns the id of an organization that exists; none is ever deleted. @throws Failure NOT_FOUND */
export const requireOrganization = async (sql: Sql, id: string): Promise<string> => {
  const known = tables
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', requireId(id, 'organization'));
  return found(await execute(sql, known), 'organization').id;
};

/**
 * Serves the RPCs with which operators create and change organizations.
 * @param cells the cells of the installation.
 * @param changed called after the commit of a change. It must drop cached credentials of the
 *   organization's keys.
 */
export const organizations = (db: Database, cells: readonly string[], changed: () => void) => {
  const change = async (id: string, edit: { enabled: boolean } | { admins: string[] }) => {
    const statement = tables
      .updateTable('organizations')
      .set(edit)
      .where('id', '=', requireId(id, 'organization'))
      .returningAll();
    const row = found(await execute(db, statement), 'organization');
    changed();
    return { organization: shown(row) };
  };

  return {
    createOrganization: async ({ name, disabled, admins, cell }) => {
      const statement = tables
        .insertInto('organizations')
        .values({
          id: uuidv7(),
          name: requireName(name, { min: 1, max: nameMax }),
          enabled: !disabled,
          admins: requireAdministrators(admins),
          cell: requireCell(cells, cell || mainCell),
        })
        .returningAll();
      return { organization: shown((await execute(db, statement))[0]!) };
    },
    listOrganizations: async ({ afterId }) => {
      const page = tables
        .selectFrom('organizations')
        .selectAll()
        .where('id', '>', startOf(afterId, 'organization'))
        .orderBy('id')
        .limit(pageSize);
      const rows = await execute(db, page);
      return { organizations: rows.map(shown), nextId: nextIdOf(rows) };
    },
    getOrganization: async ({ id }) => {
      const statement = tables
        .selectFrom('organizations')
        .selectAll()
        .where('id', '=', requireId(id, 'organization'));
      return { organization: shown(found(await execute(db, statement), 'organization')) };
    },
    setOrganizationEnabled: async ({ id, enabled }) => change(id, { enabled }),
    setAdministrators: async ({ id, admins }) =>
      change(id, { admins: requireAdministrators(admins) }),
  } satisfies Partial<Handlers<typeof AccessService>>;
};
