import type { Column, Table } from './read-tables.ts';

type Tables = ReadonlyMap<string, Table>;

/**
 * Compares the migrated tables with those of the entities.
 * @returns one sentence for each difference; none if both are equal.
 */
export const compareTables = (migrated: Tables, declared: Tables): string[] => [
  ...missing(migrated, declared).map((name) => `The table ${name} has no entity.`),
  ...missing(declared, migrated).map((name) => `The entity of ${name} has no table.`),
  ...[...migrated].flatMap(([name, table]) => {
    const entity = declared.get(name);
    return entity ? compareTable(name, table, entity) : [];
  }),
];

const missing = (of: ReadonlyMap<string, unknown>, inside: ReadonlyMap<string, unknown>) =>
  [...of.keys()].filter((name) => !inside.has(name));

const compareTable = (name: string, table: Table, entity: Table): string[] => {
  const columns = byName(table.columns);
  const properties = byName(entity.columns);
  return [
    ...missing(columns, properties).map(
      (column) => `The column ${name}.${column} has no property.`,
    ),
    ...missing(properties, columns).map(
      (column) => `The entity of ${name} has a property for ${column}, which is no column.`,
    ),
    ...table.columns.flatMap((column) => {
      const property = properties.get(column.name);
      return property ? compareColumn(name, column, property) : [];
    }),
    ...differs(`The primary key of ${name}`, list(table.primaryKey), list(entity.primaryKey)),
    ...missing(table.indexes, entity.indexes).map(
      (index) => `The index ${index} of ${name} is not declared: ${table.indexes.get(index)}`,
    ),
    ...missing(entity.indexes, table.indexes).map(
      (index) => `The entity of ${name} declares the index ${index}, which does not exist.`,
    ),
    ...[...table.indexes].flatMap(([index, definition]) => {
      const other = entity.indexes.get(index);
      return other ? differs(`The index ${index} of ${name}`, definition, other) : [];
    }),
  ];
};

const byName = (columns: readonly Column[]) =>
  new Map(columns.map((column) => [column.name, column]));

const list = (names: readonly string[]): string => names.join(', ') || 'nothing';

const compareColumn = (table: string, column: Column, property: Column): string[] => {
  const subject = `The column ${table}.${column.name}`;
  const nullability = ({ nullable }: Column) => (nullable ? 'nullable' : 'not null');
  return [
    ...differs(subject, column.type, property.type),
    ...differs(subject, nullability(column), nullability(property)),
    ...differs(`The default of ${table}.${column.name}`, column.default, property.default),
  ];
};

const differs = (subject: string, found: string | null, declared: string | null): string[] =>
  found === declared
    ? []
    : [
        `${subject} is ${found ?? 'absent'} in the database and ${declared ?? 'absent'} in the entity.`,
      ];
