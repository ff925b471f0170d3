import { clockTimestamp, type Database, execute, fragment, uuidv7 } from '@pto/database';
import type { GrantedRole } from '@pto/proto/callers';
import { found, nextIdOf, pageSize, requireId, shown, startOf } from '../fields.ts';
import { type Rows, tables } from '../schema/tables.ts';

/** The claims of a verified ID token that describe a person. */
export interface SignedIn {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly roles: readonly GrantedRole[];
}

/**
 * Lists and blocks people who signed in with OpenID Connect. A block takes effect at the next
 * request.
 */
export const people = (db: Database) => {
  const update = (id: string) =>
    tables.updateTable('operators').where('id', '=', requireId(id, 'operator')).returningAll();
  return {
    block: async (id: string, by: string) => {
      const statement = update(id).set(({ fn, val }) => ({
        blocked_at: fn.coalesce('blocked_at', clockTimestamp),
        blocked_by: fn.coalesce('blocked_by', val(by)),
      }));
      return changed(await execute(db, statement));
    },
    unblock: async (id: string) =>
      changed(await execute(db, update(id).set({ blocked_at: null, blocked_by: null }))),
    list: async (afterId: string) => {
      const page = tables
        .selectFrom('operators')
        .selectAll()
        .where('id', '>', startOf(afterId, 'operator'))
        .orderBy('id')
        .limit(pageSize);
      const rows = await execute(db, page);
      return { operators: rows.map(shown), nextId: nextIdOf(rows) };
    },
    /**
     * Records that a person was seen, at most once a minute unless name or roles changed.
     * @returns the person's id, and whether an administrator blocked the person.
     */
    seen: async (person: SignedIn) => {
      const [known] = await execute(db, find(person));
      if (known && !known.stale) return known;
      const [row] = await execute(db, save(person));
      return row!;
    },
  };
};

const changed = (rows: readonly Rows['operators'][]) => shown(found(rows, 'operator'));

const find = ({ issuer, subject, name, roles }: SignedIn) =>
  tables
    .selectFrom('operators')
    .select((eb) => [
      'id',
      eb('blocked_at', 'is not', null).$castTo<boolean>().as('blocked'),
      eb
        .or([
          eb('name', '<>', name),
          eb('roles', '<>', eb.val([...roles])),
          eb('last_seen_at', '<', fragment<string>`clock_timestamp() - interval '1 minute'`),
        ])
        .$castTo<boolean>()
        .as('stale'),
    ])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject);

const save = ({ issuer, subject, name, roles }: SignedIn) =>
  tables
    .insertInto('operators')
    .values({ id: uuidv7(), issuer, subject, name, roles: [...roles] })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet(({ ref }) => ({
        name: ref('excluded.name'),
        roles: ref('excluded.roles'),
        last_seen_at: fragment<string>`date_trunc('minute', clock_timestamp())`,
      })),
    )
    .returning(({ eb }) => [
      'id',
      eb('blocked_at', 'is not', null).$castTo<boolean>().as('blocked'),
    ]);
