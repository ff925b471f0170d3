import { onlineIndexOfEach } from './indexes.ts';
import type { OnlineStep } from './online-migration.ts';
import { longStatement, shortTransaction } from './steps.ts';

/** Returns the steps that make a filled column not null, without a scan under a lock. */
export const onlineNotNull = (table: string, column: string): OnlineStep[] => {
  const check = `${table}_${column}_filled`;
  return [
    shortTransaction(`${table}.${column}: reject null in new rows`, [
      `alter table ${table} add constraint ${check} check (${column} is not null) not valid`,
    ]),
    longStatement(
      `${table}.${column}: check all rows`,
      `alter table ${table} validate constraint ${check}`,
    ),
    // the valid check spares a scan
    shortTransaction(`${table}.${column}: not null`, [
      `alter table ${table} alter column ${column} set not null`,
      `alter table ${table} drop constraint ${check}`,
    ]),
  ];
};

/**
 * Returns the steps that replace a table's primary key `<table>_pkey`. Its columns must be not null,
 * and no foreign key may refer to the old key. The old key's index is dropped.
 */
export const onlinePrimaryKey = (table: string, columns: readonly string[]): OnlineStep[] => {
  const index = `${table}_new_pkey`;
  const on = `(${columns.join(', ')})`;
  return [
    onlineIndexOfEach({ name: index, table, on, unique: true }),
    shortTransaction(`${table}: primary key ${on}`, [switchKey(table, index, on)]),
  ];
};

/**
 * A partition without the index was created after the others: it has few rows, and the new key of
 * the table builds its index. PostgreSQL takes the keys of the other partitions as they are.
 */
const switchKey = (table: string, index: string, on: string): string => `do $$
  declare
    partition text;
    own text;
  begin
    if (select relkind = 'r' from pg_class where oid = '${table}'::regclass) then
      alter table ${table} drop constraint ${table}_pkey,
        add constraint ${table}_pkey primary key using index ${index};
      return;
    end if;
    alter table ${table} drop constraint ${table}_pkey;
    for partition, own in
      select p.relname, x.relname from pg_inherits i
        join pg_class p on p.oid = i.inhrelid
        join pg_index n on n.indrelid = p.oid and n.indisvalid
        join pg_class x on x.oid = n.indexrelid and x.relname = p.relname || '_${index}'
      where i.inhparent = '${table}'::regclass
    loop
      execute format('alter table %I add constraint %I primary key using index %I',
        partition, partition || '_pkey', own);
    end loop;
    alter table ${table} add constraint ${table}_pkey primary key ${on};
  end $$`;
