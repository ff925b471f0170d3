import { type Database, execute, uuidv7 } from '@pto/database';
import { found, iso, nextIdOf, pageSize, requireId, requireName, startOf } from '../fields.ts';
import { type Rows, tables } from '../schema/tables.ts';
import { requireAdministrators } from './administrators.ts';

const nameMax = 200;

const columns = ['id', 'name', 'enabled', 'admins', 'created_at'] as const;

const shape = ({ id, name, enabled, admins, created_at }: Rows['organizations']) => ({
  id,
  name,
  enabled,
  admins: [...admins],
  createdAt: iso(created_at),
});

/**
 * Creates and changes organizations for operators.
 * @param changed called after the commit of a change. It must drop cached credentials of the
 *   organization's keys.
 */
export const organizations = (db: Database, changed: () => void) => {
  const change = async (id: string, edit: { enabled: boolean } | { admins: string[] }) => {
    const statement = tables
      .updateTable('organizations')
      .set(edit)
      .where('id', '=', requireId(id, 'organization'))
      .returning(columns);
    const row = found(await execute(db, statement), 'organization');
    changed();
    return shape(row);
  };

  return {
    create: async (request: { name: string; disabled: boolean; admins: readonly string[] }) => {
      const statement = tables
        .insertInto('organizations')
        .values({
          id: uuidv7(),
          name: requireName(request.name, { min: 1, max: nameMax }),
          enabled: !request.disabled,
          admins: requireAdministrators(request.admins),
        })
        .returning(columns);
      return shape((await execute(db, statement))[0]!);
    },
    list: async (afterId: string) => {
      const page = tables
        .selectFrom('organizations')
        .select(columns)
        .where('id', '>', startOf(afterId, 'organization'))
        .orderBy('id')
        .limit(pageSize);
      const rows = await execute(db, page);
      return { organizations: rows.map(shape), nextId: nextIdOf(rows) };
    },
    get: async (id: string) => {
      const statement = tables
        .selectFrom('organizations')
        .select(columns)
        .where('id', '=', requireId(id, 'organization'));
      return shape(found(await execute(db, statement), 'organization'));
    },
    setEnabled: (id: string, enabled: boolean) => change(id, { enabled }),
    setAdmins: async (id: string, admins: readonly string[]) =>
      change(id, { admins: requireAdministrators(admins) }),
  };
};
