import {
  BigIntType,
  BlobType,
  BooleanType,
  DateTimeType,
  DoubleType,
  type EntitySchemaWithMeta,
  type InferKyselyDB,
  IntegerType,
  JsonType,
  SmallIntType,
  StringType,
  TextType,
  Type,
  UnderscoreNamingStrategy,
  UuidType,
} from '@mikro-orm/postgresql';
import {
  type ColumnType,
  DummyDriver,
  type Expression,
  type ExpressionBuilder,
  expressionBuilder,
  type InsertObject,
  type InsertQueryBuilder,
  type InsertResult,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryCreator,
  type Selectable,
  type SelectQueryBuilder,
  sql,
  ValueNode,
} from 'kysely';
import type { Elements } from '../values.ts';

type Entity = EntitySchemaWithMeta & { readonly name: string };

/**
 * The entities' tables and columns by their SQL names, with the types that the driver reads and
 * writes.
 */
export type Tables<Entities extends readonly Entity[]> = {
  [Table in keyof InferKyselyDB<Entities[number]>]: {
    [Name in keyof InferKyselyDB<Entities[number]>[Table]]: Column<
      InferKyselyDB<Entities[number]>[Table][Name]
    >;
  };
};

type Column<Declared> = [Declared] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Read<Select>, Written<Insert>, Written<Update>>
  : ColumnType<Read<Declared>, Written<Declared>, Written<Declared>>;

/**
 * The type in which the driver reads a value: a timestamptz as PostgreSQL's text with microseconds,
 * a bytea as a Buffer.
 */
type Read<Value> = Value extends Date ? string : Value extends Uint8Array ? Buffer : Value;
type Written<Value> = Value extends Date
  ? Date | string
  : Value extends Uint8Array
    ? Uint8Array
    : Value;

/**
 * Returns a query builder for the entities' tables. An unknown table or column is a type error.
 * `execute` (statement.ts) runs the statements; the builder has no connection.
 */
export const tablesOf = <const Entities extends readonly Entity[]>(
  entities: Entities,
): Kysely<Tables<Entities>> => {
  const tables = new Kysely<Tables<Entities>>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new NoConnection(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new StatementCompiler(),
    },
  });
  declared.set(tables, entities);
  return tables;
};

const declared = new WeakMap<object, readonly Entity[]>();

/**
 * Returns how a builder's column is sent, by its entity.
 * @throws TypeError for a column whose type `sentTypes` does not list.
 */
export const declaredType = (tables: object, table: string, column: string): SentType => {
  const entity = declared.get(tables)?.find(({ meta }) => meta.tableName === table);
  const [, property] =
    Object.entries(entity?.meta.properties ?? {}).find(
      ([name]) => naming.propertyToColumnName(name) === column,
    ) ?? [];
  const type: unknown = property?.type;
  const sent = sentTypes.get(type instanceof Type ? type.constructor : type);
  if (!sent) throw new TypeError(`${table}.${column} has no type of an array`);
  return sent;
};

/** How values of a column are sent: the element type of their array, and the type to cast to. */
interface SentType {
  readonly element: keyof Elements;
  /** Present where an array of the column's own type would be slower to send or to declare. */
  readonly cast?: 'smallint' | 'json';
}

/** By the class of MikroORM's type of a property: a bundle changes the names of classes. */
const sentTypes = new Map<unknown, SentType>([
  [UuidType, { element: 'uuid' }],
  [TextType, { element: 'text' }],
  [StringType, { element: 'text' }],
  [IntegerType, { element: 'int' }],
  [SmallIntType, { element: 'int', cast: 'smallint' }],
  [BigIntType, { element: 'bigint' }],
  [DoubleType, { element: 'float8' }],
  [BooleanType, { element: 'bool' }],
  [BlobType, { element: 'bytea' }],
  [DateTimeType, { element: 'timestamptz' }],
  [JsonType, { element: 'text', cast: 'json' }],
]);

const naming = new UnderscoreNamingStrategy();

class NoConnection extends DummyDriver {
  override async acquireConnection(): Promise<never> {
    throw new Error('The builder has no connection: give the statement to execute().');
  }
}

/** Row types of a builder's tables, for SQL that is written as text. */
export type RowsOf<Builder> =
  Builder extends Kysely<infer Database>
    ? { [Table in keyof Database]: Selectable<Database[Table]> }
    : never;

/** SQL expression for the current time of the database. */
export const clockTimestamp = sql<string>`clock_timestamp()`;

/**
 * A condition that is always true and makes the commit of its transaction asynchronous: PostgreSQL
 * responds before the commit is on disk. If PostgreSQL's machine dies within 0.6 s, the transaction
 * is lost as a whole, and no later one is kept without it. Only for statements that are repeated
 * without harm.
 */
export const asynchronousCommit = sql<boolean>`(select set_config('synchronous_commit', 'off', true)) = 'off'`;

/** Stands for the value of a parameter in a statement that is built once (`statement`). */
export class Placeholder implements Expression<never> {
  readonly expressionType = undefined;
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toOperationNode(): ValueNode {
    return ValueNode.create(this);
  }
}

/**
 * Writes statements for PostgreSQL. All uses of one placeholder are one parameter (`$1`), so its
 * value is sent once and the planner knows that the uses are equal.
 */
class StatementCompiler extends PostgresQueryCompiler {
  readonly #numbers = new Map<Placeholder, string>();

  override compileQuery(
    ...query: Parameters<PostgresQueryCompiler['compileQuery']>
  ): ReturnType<PostgresQueryCompiler['compileQuery']> {
    this.#numbers.clear();
    return super.compileQuery(...query);
  }

  protected override appendValue(parameter: unknown): void {
    const placeholder = parameter instanceof Placeholder ? parameter : undefined;
    const known = placeholder && this.#numbers.get(placeholder);
    if (known === undefined) super.appendValue(parameter);
    else this.append(known);
    if (placeholder) this.#numbers.set(placeholder, known ?? this.getCurrentParameterPlaceholder());
  }
}

/** A query, or a function that builds a query on tables of the statement's `with`. */
type Rows<Tables, From, Names extends keyof From> =
  | SelectQueryBuilder<From, Names, object>
  | ((eb: ExpressionBuilder<Tables, never>) => SelectQueryBuilder<From, Names, object>);

/**
 * Builds `insert into table (…) select … from …`.
 * @param rows the query that yields the rows to insert, without selected columns. The rows are
 *   inserted in the query's order.
 * @param values the value of each column, as for `values` of the builder: the compiler requires the
 *   columns without a default, and their types.
 */
export const insertFromArrays = <
  Tables,
  Table extends keyof Tables & string,
  From,
  Names extends keyof From,
>(
  tables: Kysely<Tables> | QueryCreator<Tables>,
  table: Table,
  rows: Rows<Tables, From, Names>,
  values: (eb: ExpressionBuilder<From, Names>) => InsertObject<Tables, Table>,
): InsertQueryBuilder<Tables, Table, InsertResult> => {
  const columns = Object.entries(values(expressionBuilder<From, Names>()));
  const query = typeof rows === 'function' ? rows(expressionBuilder<Tables, never>()) : rows;
  const selected = query.select(columns.map(([column, value]) => sql`${value}`.as(column)));
  return tables
    .insertInto(table)
    .columns(columns.map(([column]) => column) as never)
    .expression(selected);
};
