import type { SchemaFacts } from './schema-facts.ts';

/** What needs no organization, with one reason each. */
export interface SchemaExceptions {
  /** Tables that do not hold data of organizations. */
  readonly tables: Readonly<Record<string, string>>;
  /** Unique indexes and foreign keys, by name. */
  readonly keys: Readonly<Record<string, string>>;
}

const column = 'organization_id';

/**
 * Returns a sentence for each table that holds data of organizations and has no `organization_id` that
 * is never null, for each of its keys and unique indexes that does not begin with it, for each
 * foreign key that does not contain it on both sides, and for each exception without an effect.
 */
export const judgeSchema = (
  { tables, keys, foreignKeys }: SchemaFacts,
  exceptions: SchemaExceptions,
): string[] => {
  const isOrganizations = (table: string) => !Object.hasOwn(exceptions.tables, table);
  const wrong = [
    ...keys
      .filter(({ table, columns }) => isOrganizations(table) && columns[0] !== column)
      .map(({ table, name, columns }) => ({
        name,
        text: `The key ${name} of ${table} begins with ${columns[0] ?? 'an expression'}.`,
      })),
    ...foreignKeys
      .filter(({ table, references }) => isOrganizations(table) && isOrganizations(references))
      .filter(
        ({ columns, referenced }) =>
          !columns.some((one, n) => one === column && referenced[n] === column),
      )
      .map(({ table, name, references }) => ({
        name,
        text: `The foreign key ${name} of ${table} to ${references} does not contain ${column}.`,
      })),
  ];
  const found = new Set(wrong.map(({ name }) => name));
  return [
    ...[...tables]
      .filter(([table, state]) => isOrganizations(table) && state !== 'not null')
      .map(([table, state]) => `${table}.${column} is ${state}.`),
    ...wrong.filter(({ name }) => !Object.hasOwn(exceptions.keys, name)).map(({ text }) => text),
    ...Object.keys(exceptions.tables)
      .filter((table) => !tables.has(table))
      .map((table) => `The exception ${table} is not a table.`),
    ...Object.keys(exceptions.keys)
      .filter((name) => !found.has(name))
      .map((name) => `The exception ${name} has no effect.`),
  ];
};

/** Returns the tables that hold data of organizations. */
export const organizationTables = (
  { tables }: SchemaFacts,
  exceptions: SchemaExceptions,
): ReadonlySet<string> =>
  new Set([...tables.keys()].filter((table) => !Object.hasOwn(exceptions.tables, table)));
