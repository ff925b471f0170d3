import { defineEntity, p } from '@mikro-orm/core';
import { execute, fragment, type Sql, tablesOf } from '@pto/database';

/**
 * How a cell holds an organization that moves, from the least to the most that is stopped.
 * `released`: not at all; the row stays, so that no try with its token or a lower one holds the
 * organization again. `paused`: the service begins nothing of its own, such as deliveries. `held`:
 * also, changes by partners and operators fail with ORGANIZATION_HELD; reads continue. `arriving`:
 * as `held`, in the target, which has a copy.
 */
export const levels = { released: 0, paused: 1, held: 2, arriving: 3 } as const;

/**
 * Statements for a service's migration: the organizations that a move holds in this cell, and the
 * function by which statements and triggers reject their changes. A volatile plpgsql function sees
 * all that was committed before it was called, so a caller that has a lock which excludes the mover's
 * hold passes only if the organization is not held until the caller's transaction ends. The mover's
 * own writes of rows of a held organization are excepted.
 */
export const heldOrganizationsTable: readonly string[] = [
  `create table held_organizations (
    organization_id uuid primary key,
    -- of the last try of a move that has held the organization
    token bigint not null,
    -- 0 released, 1 paused, 2 held, 3 arriving
    level smallint not null check (level between 0 and 3)
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
 * Rejects a change of an organization that is held. The caller has a lock that excludes the mover's
 * hold.
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
    .whereRef('h.organization_id', '=', fragment.ref(column))
    .where('h.level', '>', fragment.lit(levels.released))})`;
