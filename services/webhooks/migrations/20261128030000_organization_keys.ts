import {
  backfill,
  longStatement,
  onlineIndex,
  onlineMigration,
  onlineNotNull,
  onlinePrimaryKey,
  shortTransaction,
} from '@pto/database';

const column = 'organization_id';

/** The tables whose rows get their organization, with the column that names the parent row. */
const children = [
  { table: 'endpoint_secrets', key: 'id', parents: 'endpoints', by: 'endpoint_id' },
  { table: 'endpoint_sequences', key: 'endpoint_id', parents: 'endpoints', by: 'endpoint_id' },
  { table: 'pending_deliveries', key: 'delivery_id', parents: 'deliveries', by: 'delivery_id' },
  { table: 'attempts', key: 'delivery_id', parents: 'deliveries', by: 'delivery_id' },
  { table: 'named_replays', key: 'command_id', parents: 'deliveries', by: 'replayed_id' },
] as const;

/**
 * Adds the column, and a trigger for the release before, whose inserts do not name the column. The
 * next release drops the triggers and their functions (until-next-release.ts).
 */
const added = children.map(({ table, parents, by }) =>
  shortTransaction(`${table}: add ${column}`, [
    `alter table ${table} add column ${column} uuid`,
    `create function fill_${column}_of_${table}() returns trigger language plpgsql as $$
      begin
        select p.${column} into new.${column} from ${parents} p where p.id = new.${by};
        return new;
      end $$`,
    `create trigger fill_${column} before insert on ${table} for each row
      when (new.${column} is null) execute function fill_${column}_of_${table}()`,
  ]),
);

/**
 * Fills the rows. An attempt or a name whose delivery the rotation has dropped is read by nothing;
 * it is deleted, because its organization is unknown.
 */
const filled = children.flatMap(({ table, key, parents, by }) => [
  backfill({
    table,
    by: key,
    set: `${column} = (select p.${column} from ${parents} p where p.id = ${by})`,
    where: `${column} is null`,
  }),
  ...(parents === 'deliveries'
    ? [longStatement(`${table}: delete orphans`, `delete from ${table} where ${column} is null`)]
    : []),
  ...onlineNotNull(table, column),
]);

/**
 * Indexes for statements that name no organization. The one of `deliveries` stays: operators look a
 * delivery up by its id alone, as they do with an endpoint. The others are for the release before,
 * and the next one drops them (until-next-release.ts).
 */
const byId = [
  onlineIndex({ name: 'endpoints_of_id', table: 'endpoints', on: '(id)' }),
  onlineIndex({ name: 'deliveries_of_id', table: 'deliveries', on: '(id)' }),
  onlineIndex({
    name: 'sequences_of_endpoint',
    table: 'endpoint_sequences',
    on: '(endpoint_id)',
  }),
  onlineIndex({ name: 'pending_of_delivery', table: 'pending_deliveries', on: '(delivery_id)' }),
  onlineIndex({ name: 'attempts_of_delivery', table: 'attempts', on: '(delivery_id)' }),
  // also the target of its `on conflict`
  onlineIndex({
    name: 'named_replays_of_command',
    table: 'named_replays',
    on: '(command_id)',
    unique: true,
  }),
];

/** A foreign key needs the new unique index, and the old key of `endpoints` must have none. */
const references = ['endpoint_creations', 'endpoint_secrets', 'endpoint_sequences'].flatMap(
  (table) => {
    const name = `${table}_endpoint_id_fkey`;
    return [
      shortTransaction(`${table}: foreign key`, [
        `alter table ${table} drop constraint ${name},
          add constraint ${name} foreign key (${column}, endpoint_id)
            references endpoints (${column}, id) on delete cascade not valid`,
      ]),
      longStatement(
        `${table}: check foreign key`,
        `alter table ${table} validate constraint ${name}`,
      ),
    ];
  },
);

const keys = [
  ...onlinePrimaryKey('endpoints', [column, 'id']),
  ...onlinePrimaryKey('endpoint_creations', [column, 'endpoint_id']),
  ...onlinePrimaryKey('endpoint_secrets', [column, 'id']),
  ...onlinePrimaryKey('endpoint_sequences', [column, 'endpoint_id']),
  ...onlinePrimaryKey('warnings', [column, 'id']),
  ...onlinePrimaryKey('events', [column, 'id']),
  ...onlinePrimaryKey('deliveries', [column, 'id']),
  ...onlinePrimaryKey('attempts', [column, 'delivery_id', 'number']),
  ...onlinePrimaryKey('pending_deliveries', [column, 'delivery_id']),
  ...onlinePrimaryKey('quarantined_deliveries', [column, 'position']),
  ...onlinePrimaryKey('named_replays', [column, 'command_id']),
];

/** The organization leads all keys, so that rows can be distributed by organization. */
export const organizationKeys = onlineMigration('20261128030000_organization_keys', [
  ...added,
  ...filled,
  ...byId,
  onlineIndex({
    name: 'endpoints_new_pkey',
    table: 'endpoints',
    on: `(${column}, id)`,
    unique: true,
  }),
  ...references,
  ...keys,
  // equal to the new keys
  shortTransaction('drop endpoints_of_organization', ['drop index endpoints_of_organization']),
  shortTransaction('drop events_of_organization', ['drop index events_of_organization']),
]);
