import { isGroup, isQuery, namesOfWith, type Part, type Query, queriesOf } from './sql-queries.ts';
import { readSql } from './sql-tokens.ts';

const column = 'organization_id';

/**
 * Returns the names of the tables that a statement reads or writes without a condition on their
 * `organization_id`: an equation in `where` or `on` of the same query, or the column of an insert.
 * A name is that of the statement: `orders`, or `orders as o`.
 * @param tables those that hold data of organizations.
 */
export const unboundTables = (text: string, tables: ReadonlySet<string>): string[] => {
  const root = readSql(text);
  const named = namesOfWith(root);
  return queriesOf(root).flatMap((query) => {
    const references = referencesOf(query).filter(
      ({ table }) => tables.has(table) && !named.has(table),
    );
    const bound = boundAliases(conditionsOf(query));
    return references
      .filter(({ alias, columns }) => {
        if (columns) return !columns.includes(column);
        return !bound.has(alias) && !(bound.has('') && references.length === 1);
      })
      .map(({ table, alias }) => (alias === table ? table : `${table} as ${alias}`));
  });
};

interface Reference {
  readonly table: string;
  readonly alias: string;
  /** The columns of an insert. */
  readonly columns?: readonly string[];
}

/** Words that follow a table's name and are no alias. */
const clauses = new Set(
  (
    'where on inner left right full cross join natural group order limit offset returning set using ' +
    'values select union for as having window default overriding lateral with tablesample'
  ).split(' '),
);

const referencesOf = (query: Query): Reference[] => {
  const references: Reference[] = [];
  let isList = false;
  for (const [n, part] of query.entries()) {
    if (typeof part !== 'string') continue;
    const before = query[n - 1];
    const isStart = before === undefined || isGroup(before);
    if (part === 'from' && before !== 'distinct') isList = true;
    else if (
      clauses.has(part) &&
      !['as', 'inner', 'left', 'cross', 'join', 'lateral'].includes(part)
    )
      isList = part === 'using' && !isGroup(query[n + 1]);
    const begins =
      (part === 'from' && before !== 'distinct') ||
      part === 'join' ||
      part === 'into' ||
      (part === 'using' && !isGroup(query[n + 1])) ||
      (part === 'update' && isStart) ||
      (part === ',' && isList);
    if (!begins) continue;
    const reference = referenceAt(query, n + 1, part === 'into');
    if (reference) references.push(reference);
  }
  return references;
};

const referenceAt = (query: Query, start: number, isInsert: boolean): Reference | undefined => {
  let n = start;
  while (query[n] === 'only' || query[n] === 'lateral') n++;
  if (query[n + 1] === '.') n += 2;
  const table = query[n];
  const next = query[n + 1];
  if (typeof table !== 'string') return undefined;
  if (isInsert) {
    const columns = isGroup(next) ? next.parts.filter((part) => typeof part === 'string') : [];
    return { table, alias: table, columns };
  }
  if (isGroup(next)) return undefined; // a function
  const alias = next === 'as' ? query[n + 2] : next;
  const isAlias = typeof alias === 'string' && /^[a-z_]/.test(alias) && !clauses.has(alias);
  return { table, alias: isAlias ? alias : table };
};

/** Words that end a condition. */
const ends = new Set(
  'from inner left right full cross join natural group order limit offset returning set window for do'.split(
    ' ',
  ),
);

/** Returns the parts of a query's `where` and `on`. */
const conditionsOf = (query: Query): Query => {
  const conditions: Part[] = [];
  let isInside = false;
  for (const [n, part] of query.entries()) {
    if (part === 'where' || (part === 'on' && query[n + 1] !== 'conflict')) isInside = true;
    else if (typeof part === 'string' && ends.has(part) && query[n - 1] !== 'distinct')
      isInside = false;
    else if (isInside) conditions.push(part);
  }
  return conditions;
};

const isEquation = (part: Part | undefined): boolean => part === '=' || part === 'in';

/**
 * Returns the aliases whose `organization_id` is one side of an equation, also within a tuple; ''
 * for the column without an alias.
 */
const boundAliases = (conditions: Query, isTuple = false): ReadonlySet<string> => {
  const bound = new Set<string>();
  for (const [n, part] of conditions.entries()) {
    const before = conditions[n - 1];
    const next = conditions[n + 1];
    if (isGroup(part)) {
      if (isQuery(part)) continue;
      const isSide = part.parts.includes(',') && (isEquation(before) || isEquation(next));
      for (const alias of boundAliases(part.parts, isSide)) bound.add(alias);
    } else if (part === column) {
      const isQualified = before === '.';
      const left = isQualified ? conditions[n - 3] : before;
      if (isTuple || isEquation(next) || left === '=')
        bound.add(isQualified ? String(conditions[n - 2]) : '');
    }
  }
  return bound;
};
