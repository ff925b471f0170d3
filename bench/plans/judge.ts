import type { Client } from 'pg';
import type { LoggedStatement } from './logged-statements.ts';

export interface Planned {
  /** The planner's estimate, in its units: 1 for a page that is read in sequence. */
  readonly cost: number;
  /** Tables that are read completely. */
  readonly scans: readonly string[];
}

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: readonly Node[];
}

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/**
 * Plans a statement for each execution's values. @returns the plan of the highest cost.
 * @throws the error of PostgreSQL if it cannot plan the statement.
 */
export const planOf = async (client: Client, statement: LoggedStatement): Promise<Planned> => {
  await client.query(`prepare planned as ${statement.text}`);
  try {
    let highest: Planned = { cost: 0, scans: [] };
    for (const values of statement.values.length > 0 ? statement.values : [[]]) {
      const call = values.length > 0 ? `planned(${values.join(', ')})` : 'planned';
      const { rows } = await client.query(`explain (format json) execute ${call}`);
      const plan = rows[0]['QUERY PLAN'][0].Plan as Node & { 'Total Cost': number };
      const scans = nodesOf(plan)
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => node['Relation Name'] ?? '');
      if (plan['Total Cost'] >= highest.cost) highest = { cost: plan['Total Cost'], scans };
    }
    return highest;
  } finally {
    await client.query('deallocate planned');
  }
};

/**
 * Whether a plan reads data of other organizations, of which there are a hundred times as many. A
 * plan that does not costs a little more, because the tree of an index is higher.
 */
export const grows = (small: Planned, large: Planned): boolean =>
  large.cost > 10 * small.cost + 200;
