import type { ClientBase } from 'pg';
import { sqlState } from '../../sql-state.ts';
import { withLockRetries } from './lock-retries.ts';
import type { OnlineStep } from './online-migration.ts';

export interface OnlineIndex {
  readonly name: string;
  readonly table: string;
  /** What follows the table's name: `(organization_id, id) where …`. */
  readonly on: string;
  readonly unique?: boolean;
}

/**
 * Returns a step that builds an index while rows are written. The index of a partitioned table is
 * built for each partition, and is complete when the last is attached.
 */
export const onlineIndex = (index: OnlineIndex): OnlineStep => ({
  what: `index ${index.name}`,
  run: async (client, record) => {
    await buildAlone(client, async () => {
      if (await isPartitioned(client, index.table)) await buildPartitioned(client, index);
      else await build(client, index);
    });
    await record();
  },
});

/**
 * Returns a step that builds an index for each partition of a table, or for the table itself if it
 * is not partitioned, with the name
 * `<partition>_<name>`. Partitions that are created later do not get it.
 */
export const onlineIndexOfEach = (index: OnlineIndex): OnlineStep => ({
  what: `index ${index.name} of each partition`,
  run: async (client, record) => {
    await buildAlone(client, async () => {
      if (!(await isPartitioned(client, index.table))) return build(client, index);
      for (const partition of await partitionsOf(client, index.table))
        await buildOfPartition(client, index, partition);
    });
    await record();
  },
});

/** Name of a partition's own index. */
const partitionIndex = (partition: string, index: string): string => `${partition}_${index}`;

/** Runs work whose statements block nobody, without limits of time. */
const buildAlone = async (client: ClientBase, work: () => Promise<void>): Promise<void> => {
  await client.query('set statement_timeout = 0');
  await client.query('set lock_timeout = 0');
  await work();
};

const isPartitioned = async (client: ClientBase, table: string): Promise<boolean> => {
  const { rows } = await client.query<{ kind: string }>(
    'select relkind as kind from pg_class where oid = $1::regclass',
    [table],
  );
  return rows[0]?.kind === 'p';
};

const partitionsOf = async (client: ClientBase, table: string): Promise<string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass order by c.relname`,
    [table],
  );
  return rows.map(({ name }) => name);
};

/** Whether the index is complete; undefined if it does not exist. */
const isValid = async (client: ClientBase, name: string): Promise<boolean | undefined> => {
  const { rows } = await client.query<{ valid: boolean }>(
    'select indisvalid as valid from pg_index where indexrelid = to_regclass($1)',
    [name],
  );
  return rows[0]?.valid;
};

/** Builds the index of a table or partition. An incomplete index of an earlier run is dropped. */
const build = async (
  client: ClientBase,
  { name, table, on, unique = false }: OnlineIndex,
): Promise<void> => {
  const valid = await isValid(client, name);
  if (valid) return;
  if (valid === false) await client.query(`drop index concurrently if exists ${name}`);
  await client.query(
    `create ${unique ? 'unique ' : ''}index concurrently ${name} on ${table} ${on}`,
  );
};

/** As `build`, for a partition that the rotation may drop meanwhile. */
const buildOfPartition = async (
  client: ClientBase,
  index: OnlineIndex,
  partition: string,
): Promise<boolean> => {
  try {
    const name = partitionIndex(partition, index.name);
    await build(client, { ...index, name, table: partition });
    return true;
  } catch (error) {
    if (sqlState(error) === '42P01') return false;
    throw error;
  }
};

const buildPartitioned = async (client: ClientBase, index: OnlineIndex): Promise<void> => {
  const { name, table, on, unique = false } = index;
  // a partition that is created from now on has the index from its beginning
  await withLockRetries(client, () =>
    client.query(
      `create ${unique ? 'unique ' : ''}index if not exists ${name} on only ${table} ${on}`,
    ),
  );
  await client.query('set lock_timeout = 0');
  while (!(await isValid(client, name))) {
    const { rows } = await client.query<{ name: string }>(
      `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
       where i.inhparent = $1::regclass and not exists (
         select from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
         where x.indrelid = c.oid and a.inhparent = $2::regclass)
       order by c.relname`,
      [table, name],
    );
    for (const partition of rows) {
      if (!(await buildOfPartition(client, index, partition.name))) continue;
      await withLockRetries(client, () =>
        client.query(
          `alter index ${name} attach partition ${partitionIndex(partition.name, name)}`,
        ),
      );
      await client.query('set lock_timeout = 0');
    }
  }
};
