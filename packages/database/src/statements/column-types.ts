import { type EntitySchemaWithMeta, UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import type { Elements } from './unnest.ts';

/** How values of a column are sent: the element type of their array, and the type to cast to. */
export interface ColumnType {
  readonly element: keyof Elements;
  /** Present where an array of the column's own type would be slower to send or to declare. */
  readonly cast?: 'smallint' | 'json';
}

/** By the name of MikroORM's type of the property (`p.text()`). */
const types: Readonly<Record<string, ColumnType>> = {
  UuidType: { element: 'uuid' },
  TextType: { element: 'text' },
  StringType: { element: 'text' },
  IntegerType: { element: 'int' },
  SmallIntType: { element: 'int', cast: 'smallint' },
  BigIntType: { element: 'bigint' },
  DoubleType: { element: 'float8' },
  BooleanType: { element: 'bool' },
  BlobType: { element: 'bytea' },
  DateTimeType: { element: 'timestamptz' },
  JsonType: { element: 'text', cast: 'json' },
};

const naming = new UnderscoreNamingStrategy();

/**
 * Returns the types of the entity's columns, by the columns' names. A column of a type that is not
 * listed here is left out: `insertAll` rejects it.
 */
export const columnTypes = ({ meta }: EntitySchemaWithMeta): ReadonlyMap<string, ColumnType> =>
  new Map(
    Object.entries(meta.properties).flatMap(([name, { type }]) => {
      const known = types[(type as unknown as { name: string }).name];
      return known ? [[naming.propertyToColumnName(name), known] as const] : [];
    }),
  );
