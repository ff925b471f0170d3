import type { EntitySchemaWithMeta, InferKyselyDB } from '@mikro-orm/postgresql';
import {
  type ColumnType,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Selectable,
  sql,
} from 'kysely';

type Entity = EntitySchemaWithMeta & { readonly name: string };

/** The entities' tables under the names of the SQL, with values as the driver gives and takes them. */
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

/** A timestamptz is read as PostgreSQL's text, to the microsecond; a bytea as a Buffer. */
type Read<Value> = Value extends Date ? string : Value extends Uint8Array ? Buffer : Value;
type Written<Value> = Value extends Date ? Date | string : Value;

/**
 * Builds statements over the entities' tables: a table or column that they do not have is an error
 * of the build. `execute` (execute.ts) runs them; the builder itself has no connection.
 */
export const tablesOf = <const Entities extends readonly Entity[]>(
  _entities: Entities,
): Kysely<Tables<Entities>> =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });

const none = async (): Promise<never> => {
  throw new Error('The builder has no connection: give the statement to execute().');
};
const driver: Driver = {
  init: async () => {},
  acquireConnection: none,
  beginTransaction: none,
  commitTransaction: none,
  rollbackTransaction: none,
  releaseConnection: async () => {},
  destroy: async () => {},
};

/** The rows of a builder's tables, by table: the types of the rows that SQL as text returns. */
export type RowsOf<Builder> =
  Builder extends Kysely<infer Database>
    ? { [Table in keyof Database]: Selectable<Database[Table]> }
    : never;

/** The database's time at this moment, in a statement of the builder. */
export const clockTimestamp = sql<string>`clock_timestamp()`;
