import {
  type ArrayOf,
  type Expression,
  fragment,
  type Given,
  insertRows,
  intArray,
  statement,
  type Transaction,
  textArray,
  unnest,
  uuidArray,
} from '@pto/database';
import { firstKeptId } from '../../idempotency/scope.ts';
import { tables } from '../../schema/tables.ts';
import { changeTime } from '../change-time.ts';
import { type Creation, type NewColumns, newColumnTypes } from './new-order.ts';

/**
 * Types of the columns of a new order, and of its idempotency route and key (null without a key).
 */
const types = { ...newColumnTypes, route: 'text', key: 'text' } as const;

type Arrays = { readonly [Column in keyof NewColumns]: ArrayOf<NewColumns[Column]> } & {
  readonly route: ArrayOf<string | null>;
  readonly key: ArrayOf<string | null>;
};

type References = { readonly [Column in keyof NewColumns]: Expression<NewColumns[Column]> };

const insert = statement((given: Given<Arrays & { keepMs: number }>) =>
  insertRows(
    tables,
    'orders',
    tables
      .selectFrom(unnest('g', given, types))
      .crossJoinLateral(({ ref }) => changeTime(ref('g.organization_id')))
      .where(({ eb, exists, not, or, selectFrom }) => {
        const stored = selectFrom('idempotency as i')
          .whereRef('i.organization_id', '=', 'g.organization_id')
          .whereRef('i.route', '=', 'g.route')
          .whereRef('i.key', '=', 'g.key')
          .where('i.id', '>', firstKeptId(given.keepMs))
          // each key is looked up in the index, instead of a join that reads the table
          .offset(fragment.lit(0));
        return or([eb('g.key', 'is', null), not(exists(stored))]);
      })
      // sorted, so that two transactions with the same external ids do not deadlock
      .orderBy('g.organization_id')
      .orderBy('g.external_id'),
    ({ cast, ref }) => {
      const names = Object.keys(newColumnTypes) as (keyof NewColumns)[];
      const copied = Object.fromEntries<Expression<unknown>>(
        names.map((name) => [name, ref(`g.${name}`)]),
      );
      return {
        ...(copied as References),
        pickup_window_start: cast('g.pickup_window_start', 'timestamptz'),
        pickup_window_end: cast('g.pickup_window_end', 'timestamptz'),
        items: cast('g.items', 'json'),
        created_at: ref('change.at'),
        updated_at: ref('change.at'),
      };
    },
  )
    .onConflict((conflict) => conflict.columns(['organization_id', 'external_id']).doNothing())
    .returning(['id', 'pickup_window_start', 'pickup_window_end', 'created_at', 'updated_at']),
);

type Inserted = Awaited<ReturnType<typeof insert>>[number];

const encode = { uuid: uuidArray, text: textArray, int: intArray };

/**
 * Inserts orders. An order whose key has a stored response, or whose external_id is taken, is not
 * inserted.
 * @returns the times of the inserted orders, by id.
 */
export const insertNew = async (
  tx: Transaction,
  given: readonly { readonly creation: Creation; readonly columns: NewColumns }[],
): Promise<ReadonlyMap<string, Inserted>> => {
  const arrays = Object.entries(newColumnTypes).map(([name, type]) => {
    const values = given.map(({ columns }) => columns[name as keyof NewColumns]);
    return [name, encode[type](values as never)];
  });
  const keys = given.map(({ creation }) => creation.scope?.idempotency);
  const rows = await insert(tx, {
    ...(Object.fromEntries(arrays) as Arrays),
    route: textArray(keys.map((idempotency) => idempotency?.route ?? null)),
    key: textArray(keys.map((idempotency) => idempotency?.key ?? null)),
    keepMs: given.find(({ creation }) => creation.scope)?.creation.scope?.keepMs ?? 0,
  });
  return new Map(rows.map((row) => [row.id, row]));
};
