import type { Database } from '@pto/database';
import { walkIndexes } from '../src/config.ts';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** What a statement did, planned as the service would have it planned now. It is run, and undone. */
export interface Explained {
  readonly ms: number;
  /** Rows read from the tables whose names begin so, those thrown away again included. */
  rows(table: string): number;
  /** The ways in which they were read: `Index Scan` … */
  ways(table: string): ReadonlySet<string>;
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** @param options.isGeneric planned without the values, as after some runs. */
export const explained = async (
  db: Database,
  text: string,
  parameters: readonly unknown[],
  { isGeneric = false }: { readonly isGeneric?: boolean } = {},
): Promise<Explained> => {
  const undone = new Error('undone');
  let told: { Plan: Plan; 'Execution Time': number } | undefined;
  await db
    .transaction(async (tx) => {
      for (const [name, value] of Object.entries(walkIndexes))
        await tx.query('select set_config($1, $2, true)', [name, value]);
      const name = `explained_${Math.random().toString(36).slice(2)}`;
      if (isGeneric) {
        await tx.query("set local plan_cache_mode = 'force_generic_plan'");
        await tx.query(`prepare ${name} as ${text}`);
      }
      const values = parameters.map((value) => (typeof value === 'number' ? value : `'${value}'`));
      const [row] = await tx.query<{ 'QUERY PLAN': [NonNullable<typeof told>] }>(
        `explain (analyze, format json) ${isGeneric ? `execute ${name}(${values})` : text}`,
        isGeneric ? [] : parameters,
      );
      told = row!['QUERY PLAN'][0];
      throw undone;
    })
    .catch((error) => {
      if (error !== undone) throw error;
    });
  const { Plan: top, 'Execution Time': ms } = told!;
  const reads = (table: string) =>
    nodesOf(top).filter(
      (node) => node['Relation Name']?.startsWith(table) && node['Node Type'].endsWith('Scan'),
    );
  return {
    ms,
    rows: (table) =>
      reads(table)
        .map((node) => {
          const removed = node['Rows Removed by Filter'] ?? 0;
          return (node['Actual Rows'] + removed) * node['Actual Loops'];
        })
        .reduce((all, rows) => all + rows, 0),
    ways: (table) => new Set(reads(table).map((node) => node['Node Type'])),
  };
};
