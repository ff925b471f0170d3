import { type Database, uuidv7 } from '@pto/database';
import type { OperatorRole } from '@pto/proto/callers';
import { notFound, requireId } from '../access/require-id.ts';

const pageSize = 100;

interface PersonRow {
  readonly id: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly roles: readonly string[];
  readonly first_seen_at: Date | string;
  readonly last_seen_at: Date | string;
  readonly blocked_at: Date | string | null;
  readonly blocked_by: string | null;
}

const columns =
  'id, issuer, subject, name, roles, first_seen_at, last_seen_at, blocked_at, blocked_by';

const shape = (row: PersonRow) => ({
  id: row.id,
  issuer: row.issuer,
  subject: row.subject,
  name: row.name,
  roles: [...row.roles],
  firstSeenAt: new Date(row.first_seen_at).toISOString(),
  lastSeenAt: new Date(row.last_seen_at).toISOString(),
  blockedAt: row.blocked_at === null ? '' : new Date(row.blocked_at).toISOString(),
  blockedBy: row.blocked_by ?? '',
});

/** What a verified ID token says of a person. */
export interface SignedIn {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
}

/** People who signed in by OpenID Connect. A block holds from the next request on. */
export const people = (db: Database) => {
  const setBlocked = async (id: string, by: string | null) => {
    requireId(id, 'operator');
    const [row] = await db.query<PersonRow>(
      `update operators set
         blocked_at = case when $2::text is null then null else coalesce(blocked_at, clock_timestamp()) end,
         blocked_by = case when $2::text is null then null else coalesce(blocked_by, $2) end
       where id = $1 returning ${columns}`,
      [id, by],
    );
    if (!row) throw notFound('operator');
    return shape(row);
  };
  return {
    block: (id: string, by: string) => setBlocked(id, by),
    unblock: (id: string) => setBlocked(id, null),
    list: async (afterId: string) => {
      const after = afterId === '' ? null : requireId(afterId, 'operator');
      const rows = await db.query<PersonRow>(
        `select ${columns} from operators where $1::uuid is null or id > $1
         order by id limit ${pageSize}`,
        [after],
      );
      const nextId = rows.length === pageSize ? rows.at(-1)!.id : '';
      return { operators: rows.map(shape), nextId };
    },
    /** The person's id and whether an administrator blocked them. Written at most once a minute. */
    seen: async ({ issuer, subject, name, roles }: SignedIn) => {
      const [known] = await db.query<{ id: string; blocked: boolean; stale: boolean }>(
        `select id, blocked_at is not null as blocked, name <> $3 or roles <> $4
           or last_seen_at < clock_timestamp() - interval '1 minute' as stale
         from operators where issuer = $1 and subject = $2`,
        [issuer, subject, name, roles],
      );
      if (known && !known.stale) return known;
      const [row] = await db.query<{ id: string; blocked: boolean }>(
        `insert into operators (id, issuer, subject, name, roles) values ($5, $1, $2, $3, $4)
         on conflict (issuer, subject) do update set name = $3, roles = $4,
           last_seen_at = date_trunc('minute', clock_timestamp())
         returning id, blocked_at is not null as blocked`,
        [issuer, subject, name, roles, uuidv7()],
      );
      return row!;
    },
  };
};
