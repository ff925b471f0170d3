import { loadModule, parseSync } from 'libpg-query';

await loadModule();

const column = 'organization_id';

/** A node of PostgreSQL's parse tree (its `parsenodes.h`) as JSON. */
type Node = Readonly<Record<string, unknown>>;

/**
 * Returns the names of the tables that a statement reads or writes without a condition on their
 * `organization_id`: an equation in `where` or `on` of the same query, or the column of an insert.
 * A name is that of the statement: `orders`, or `orders as o`.
 * @param tables those that hold data of organizations.
 * @throws Error for a text that is not a statement.
 */
export const unboundTables = (text: string, tables: ReadonlySet<string>): string[] => {
  const root = parseSync(text) as Node;
  const withNames = new Set(
    nodesOf(root, named('CommonTableExpr')).map(({ node }) => node.ctename),
  );
  return nodesOf(root, isQuery).flatMap(({ kind, node: query }) => {
    const references = nodesOf(query, named('RangeVar', 'relation'), isWithin)
      .map(({ node }) => ({ table: String(node.relname), alias: aliasOf(node) }))
      .filter(({ table }) => tables.has(table) && !withNames.has(table));
    const bound = kind === 'InsertStmt' ? insertedInto(query) : boundAliases(query);
    return references
      .filter(({ alias }) => !bound.has(alias) && !(bound.has('') && references.length === 1))
      .map(({ table, alias }) => (alias === table ? table : `${table} as ${alias}`));
  });
};

const statements = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

/** Whether a member is a query: `larg` and `rarg` of a union are, those of a join are not. */
const isQuery: Test = (kind, node) =>
  statements.includes(kind) || (['larg', 'rarg'].includes(kind) && 'op' in node);

/** Whether a member belongs to its query. The names of `for update of` are no references. */
const isWithin: Test = (kind, node) => !isQuery(kind, node) && kind !== 'lockingClause';

type Test = (kind: string, node: Node) => boolean;

/** Returns the members below a node, at any depth, that are wanted. */
const nodesOf = (
  value: unknown,
  isWanted: Test,
  isEntered: Test = () => true,
): { readonly kind: string; readonly node: Node }[] => {
  if (Array.isArray(value)) return value.flatMap((one) => nodesOf(one, isWanted, isEntered));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value as Readonly<Record<string, Node>>)
    .filter(([, node]) => typeof node === 'object')
    .filter(([kind, node]) => isEntered(kind, node))
    .flatMap(([kind, node]) => [
      ...(isWanted(kind, node) ? [{ kind, node }] : []),
      ...nodesOf(node, isWanted, isEntered),
    ]);
};

const named =
  (...kinds: readonly string[]): Test =>
  (kind) =>
    kinds.includes(kind);

const aliasOf = ({ alias, relname }: Node): string =>
  String((alias as Node | undefined)?.aliasname ?? relname);

/** An insert has one table, and its columns bind it. */
const insertedInto = ({ cols }: Node): ReadonlySet<string> =>
  new Set(nodesOf(cols, named('ResTarget')).some(({ node }) => node.name === column) ? [''] : []);

const equations = ['AEXPR_OP', 'AEXPR_OP_ANY', 'AEXPR_IN'];

/**
 * Returns the aliases whose `organization_id` is one side of an equation in `where` or `on`, also
 * within a tuple; '' for the column without an alias.
 */
const boundAliases = (query: Node): ReadonlySet<string> => {
  const joins = nodesOf(query, named('JoinExpr'), isWithin).map(({ node }) => node.quals);
  const sides = nodesOf([query.whereClause, joins], named('A_Expr', 'SubLink'), isWithin).flatMap(
    ({ kind, node }) => {
      if (kind === 'SubLink') return [node.testexpr];
      const isEquation = equations.includes(String(node.kind)) && namesOf(node.name)[0] === '=';
      return isEquation ? [node.lexpr, node.rexpr] : [];
    },
  );
  return new Set(
    sides.flatMap(columnsOf).flatMap((names) => {
      const [name, alias = ''] = names.toReversed();
      return name === column ? [alias] : [];
    }),
  );
};

/** Returns the columns of one side of an equation, each as its parts: `o.id`. */
const columnsOf = (side: unknown): string[][] => {
  const { ColumnRef, RowExpr } = (side ?? {}) as { ColumnRef?: Node; RowExpr?: Node };
  if (ColumnRef) return [namesOf(ColumnRef.fields)];
  return RowExpr ? (RowExpr.args as unknown[]).flatMap(columnsOf) : [];
};

const namesOf = (list: unknown): string[] =>
  nodesOf(list, named('String')).map(({ node }) => String(node.sval));
