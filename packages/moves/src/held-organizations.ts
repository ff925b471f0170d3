import { defineEntity, p } from '@mikro-orm/core';
import {
  type Database,
  execute,
  fragment,
  type Sql,
  type Transaction,
  tablesOf,
} from '@pto/database';
import { Failure } from '@pto/errors';
import { Level } from '@pto/proto/moves/v1/moves';
import { type Held, raiseFence } from './move-fences.ts';
import { requireOrganization } from './requests.ts';

/**
 * Statements for a service's migration: the organizations that a move holds in this cell, and the
 * function by which statements and triggers reject their changes. A volatile plpgsql function sees
 * all that was committed before it was called, so a caller that has a lock which excludes
 * `holdOrganization` passes only if the organization is not held until the caller's transaction
 * ends. Imports and deletions of a move, which change rows of a held organization, are excepted.
 */
export const heldOrganizationsTable: readonly string[] = [
  `create table held_organizations (
    organization_id uuid primary key,
    -- of the try of a move that holds the organization
    token bigint not null,
    -- moves.v1.Level
    level smallint not null check (level between 1 and 3)
  )`,
  `create function require_not_held(organization uuid) returns void language plpgsql volatile as $$
   begin
     if current_setting('moves.importing', true) is distinct from organization::text
       and exists (select from held_organizations h
         where h.organization_id = organization and h.level >= 2) then
       raise exception 'the organization is held' using errcode = 'OH001';
     end if;
   end $$`,
];

export const HeldOrganizationEntity = defineEntity({
  name: 'HeldOrganization',
  tableName: 'held_organizations',
  properties: {
    organizationId: p.uuid().primary(),
    token: p.bigint('string'),
    level: p.smallint(),
  },
});

const tables = tablesOf([HeldOrganizationEntity]);

/**
 * Holds the organization, or raises its level. The caller's transaction has a lock that the changes
 * of the organization take, so that no change is in progress when it commits. A call with a lower
 * level than that of the same token changes nothing. ARRIVING stays with a later token, too: the
 * target of a move that is canceled has orders whose entries its ledger lacks.
 * @throws Failure ILLEGAL_TRANSITION if a later token holds the organization, or if this token or a
 *   later one was released: the call was delayed.
 */
export const holdOrganization = async (
  tx: Transaction,
  { organizationId, token }: Held,
  level: Level,
): Promise<void> => {
  if ((await raiseFence(tx, { organizationId, token: token - 1n })) >= token) throw isLater();
  const hold = tables
    .insertInto('held_organizations')
    .values({ organization_id: organizationId, token: `${token}`, level })
    .onConflict((conflict) =>
      conflict
        .column('organization_id')
        .doUpdateSet(({ eb, fn, ref }) => ({
          token: ref('excluded.token'),
          level: eb
            .case()
            .when('held_organizations.level', '=', Level.ARRIVING)
            .then(Level.ARRIVING)
            .when('held_organizations.token', '=', ref('excluded.token'))
            .then(fn<number>('greatest', [ref('held_organizations.level'), ref('excluded.level')]))
            .else(ref('excluded.level'))
            .end(),
        }))
        .where('held_organizations.token', '<=', `${token}`),
    )
    .returning('level');
  const [held] = await execute(tx, hold);
  if (!held) throw isLater();
};

/**
 * Ends the hold, and rejects later holds of this token and of lower ones. An organization that is not
 * held stays so.
 * @throws Failure ILLEGAL_TRANSITION if a later token holds the organization.
 */
export const releaseOrganization = async (
  tx: Transaction,
  { organizationId, token }: Held,
): Promise<void> => {
  await raiseFence(tx, { organizationId, token });
  const [held] = await execute(tx, selectHeld(organizationId).forUpdate());
  if (!held) return;
  if (BigInt(held.token) > token) throw isLater();
  const ended = tables
    .deleteFrom('held_organizations')
    .where('organization_id', '=', organizationId);
  await execute(tx, ended);
};

/**
 * Requires that this token holds the organization at this level at least, and keeps it so until the
 * transaction ends.
 * @returns the level.
 * @throws Failure ILLEGAL_TRANSITION
 */
export const requireHeld = async (
  tx: Transaction,
  { organizationId, token }: Held,
  level: Level,
): Promise<Level> => {
  const [held] = await execute(tx, selectHeld(organizationId).forShare());
  if (!held || BigInt(held.token) !== token || held.level < level) throw isLater();
  return held.level;
};

/** Runs an import: `require_not_held` passes for this organization in the transaction. */
export const importing = <Result>(
  db: Database,
  held: Held,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => unfenced(db, held, Level.ARRIVING, work);

/** Runs a deletion of rows that were copied: `require_not_held` passes as in an import. */
export const retiring = <Result>(
  db: Database,
  held: Held,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> => unfenced(db, held, Level.WRITES, work);

const unfenced = <Result>(
  db: Database,
  held: Held,
  level: Level,
  work: (tx: Transaction) => Promise<Result>,
): Promise<Result> =>
  db.transaction(async (tx) => {
    await requireHeld(tx, held, level);
    const { organizationId } = held;
    const importing = fragment`set_config('moves.importing', ${organizationId}, true)`;
    await execute(tx, tables.selectNoFrom(importing.as('importing')));
    return work(tx);
  });

/**
 * Rejects a change of an organization that is held. The caller has a lock that excludes
 * `holdOrganization`.
 * @throws Failure ORGANIZATION_HELD
 */
export const requireNotHeld = async (sql: Sql, organizationId: string): Promise<void> => {
  const check = fragment`require_not_held(${organizationId}::uuid)::text`;
  await execute(sql, tables.selectNoFrom(check.as('checked')));
};

/**
 * Returns the condition that no move holds the organization of a row, at any level. Work that a service
 * begins itself leaves out the rows of held organizations, so that source and target of a move agree.
 * @param column with the organization, `table.column`.
 */
export const isNotHeld = (column: string) =>
  fragment<boolean>`not exists (${tables
    .selectFrom('held_organizations as h')
    .whereRef('h.organization_id', '=', fragment.ref(column))})`;

/**
 * Returns the response of Serves. No row is looked at while a move holds the organization, so that the
 * response comes soon.
 * @param hasRows whether the cell has a row of the organization.
 * @throws Failure VALIDATION
 */
export const servesIn = async (
  sql: Sql,
  request: Pick<Held, 'organizationId'>,
  hasRows: (organizationId: string) => Promise<boolean>,
) => {
  const organizationId = requireOrganization(request);
  const isHeld = (await execute(sql, selectHeld(organizationId))).length > 0;
  return { serves: !isHeld && (await hasRows(organizationId)) };
};

const selectHeld = (organizationId: string) =>
  tables
    .selectFrom('held_organizations')
    .select(['token', 'level'])
    .where('organization_id', '=', organizationId);

const isLater = (): Failure =>
  new Failure('ILLEGAL_TRANSITION', 'Another try of a move holds the organization, or none does.');
