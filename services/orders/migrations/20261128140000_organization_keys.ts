import {
  backfill,
  leastUuid,
  longStatement,
  onlineIndex,
  onlineMigration,
  onlineNotNull,
  onlinePrimaryKey,
  shortTransaction,
} from '@pto/database';

/** The tables of orders' rows, and the columns of their keys behind the organization. */
const ofOrders = {
  produced_events: ['order_id', 'sequence'],
  disclosures: ['order_id', 'sequence', 'field'],
  entry_operators: ['order_id', 'sequence'],
  artifacts: ['order_id', 'sha256'],
  unreported_events: ['order_id', 'sequence'],
  done_commands: ['id'],
} as const;

const names = Object.keys(ofOrders) as (keyof typeof ofOrders)[];

/**
 * A violation of the log belongs to no order, and a restored database may not have the order of a
 * violation. Their organization is the nil UUID: a key has no column that may be null.
 */
const noOrganization = `'${leastUuid}'::uuid`;

const organizationOf = (order: string): string =>
  `(select o.organization_id from orders o where o.id = ${order})`;
const organizationOrNone = (order: string): string =>
  `coalesce(${organizationOf(order)}, ${noOrganization})`;

/** Fills the column in rows of the release before, which does not know it. */
const fillFunctions = [
  ['fill_organization', organizationOf],
  ['fill_violation_organization', organizationOrNone],
].map(
  ([name, value]) => `create function ${name}() returns trigger language plpgsql as $$
    begin
      new.organization_id := ${(value as typeof organizationOf)('new.order_id')};
      return new;
    end $$`,
);

const addColumn = (table: string, fill = 'fill_organization') =>
  shortTransaction(`${table}: add organization_id`, [
    `alter table ${table} add column organization_id uuid`,
    `create trigger ${table}_fill_organization before insert on ${table}
      for each row when (new.organization_id is null) execute function ${fill}()`,
  ]);

/**
 * Rows of these tables are never changed, for the owner by a trigger. While the column is filled,
 * the trigger rejects every other change.
 */
const neverChanged = [
  {
    table: 'produced_events',
    trigger: 'produced_events_are_append_only',
    always: 'before update or delete or truncate on produced_events',
    meanwhile: 'before delete or truncate on produced_events',
    reject: 'reject_rewriting',
    columns: ['order_id', 'sequence', 'digest', 'produced_at'],
  },
  {
    table: 'disclosures',
    trigger: 'disclosures_are_never_changed',
    always: 'before update on disclosures',
    meanwhile: null,
    reject: 'reject_other_value',
    columns: ['order_id', 'sequence', 'field', 'value', 'salt'],
  },
] as const;

const allowFilling = neverChanged.map(({ table, trigger, meanwhile, reject, columns }) => {
  const of = (row: string) => columns.map((column) => `${row}.${column}`).join(', ');
  return shortTransaction(`${table}: allow to fill organization_id`, [
    `drop trigger ${trigger} on ${table}`,
    ...(meanwhile === null
      ? []
      : [`create trigger ${trigger} ${meanwhile} for each statement execute function ${reject}()`]),
    `create trigger ${table}_are_filled_only before update on ${table} for each row
      when (old.organization_id is not null or new.organization_id is null
        or (${of('old')}) is distinct from (${of('new')}))
      execute function ${reject}()`,
  ]);
});

const rejectChanges = neverChanged.map(({ table, trigger, always, reject }) =>
  shortTransaction(`${table}: reject every change again`, [
    `drop trigger if exists ${trigger} on ${table}`,
    `drop trigger ${table}_are_filled_only on ${table}`,
    `create trigger ${trigger} ${always} for each statement execute function ${reject}()`,
  ]),
);

const where = 'organization_id is null';

const oldKey = (table: string, columns: readonly string[]) =>
  onlineIndex({
    name: `${table}_old_key`,
    table,
    on: `(${columns.join(', ')})`,
    unique: true,
  });

/** Adds a foreign key of two columns without a scan under a lock, then drops the old one. */
const foreignKey = (table: string, column: string, references: string) => {
  const name = `${table}_${column.replace('_id', '')}_fkey`;
  return [
    shortTransaction(`${table}: foreign key ${name}`, [
      `alter table ${table} add constraint ${name} foreign key (organization_id, ${column})
        references ${references} (organization_id, id) not valid`,
    ]),
    longStatement(`${table}: check ${name}`, `alter table ${table} validate constraint ${name}`),
    shortTransaction(`${table}: drop the foreign key of ${column} alone`, [
      `alter table ${table} drop constraint ${table}_${column}_fkey`,
    ]),
  ];
};

const [buildLocationsKey, changeLocationsKey] = onlinePrimaryKey('locations', [
  'organization_id',
  'id',
]);
const [buildOrdersKey, changeOrdersKey] = onlinePrimaryKey('orders', ['organization_id', 'id']);

/**
 * The organization leads every key, so that the rows of one organization can be found, copied and
 * distributed without the others'. What the release before needs is in until-next-release.ts.
 */
export const organizationKeys = onlineMigration('20261128140000_organization_keys', [
  shortTransaction('functions that fill organization_id', fillFunctions),
  ...names.map((table) => addColumn(table)),
  addColumn('integrity_violations', 'fill_violation_organization'),
  ...allowFilling,
  ...names.map((table) =>
    backfill({
      table,
      by: table === 'done_commands' ? 'id' : 'order_id',
      set: `organization_id = ${organizationOf(`${table}.order_id`)}`,
      where,
    }),
  ),
  backfill({
    table: 'integrity_violations',
    by: 'id',
    set: `organization_id = ${organizationOrNone('integrity_violations.order_id')}`,
    where,
  }),
  ...rejectChanges,
  ...[...names, 'integrity_violations'].flatMap((table) => onlineNotNull(table, 'organization_id')),

  oldKey('locations', ['id']),
  ...names.map((table) => oldKey(table, ofOrders[table])),
  // operators and the auditor have an order's or a violation's id alone
  onlineIndex({ name: 'orders_by_id', table: 'orders', on: '(id)' }),
  onlineIndex({ name: 'integrity_violations_by_id', table: 'integrity_violations', on: '(id)' }),
  onlineIndex({
    name: 'integrity_violations_of_organization',
    table: 'integrity_violations',
    on: `(organization_id, order_id, entry_id, md5(reason)) nulls not distinct
      where resolved_at is null`,
    unique: true,
  }),

  buildLocationsKey!,
  ...foreignKey('orders', 'pickup_location_id', 'locations'),
  ...foreignKey('orders', 'dropoff_location_id', 'locations'),
  changeLocationsKey!,
  shortTransaction('locations: drop the index that the key replaces', [
    'drop index locations_of_organization',
  ]),
  buildOrdersKey!,
  ...foreignKey('artifacts', 'order_id', 'orders'),
  changeOrdersKey!,
  ...names.flatMap((table) => onlinePrimaryKey(table, ['organization_id', ...ofOrders[table]])),
  ...onlinePrimaryKey('integrity_violations', ['organization_id', 'id']),
]);
