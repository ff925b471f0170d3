import pg from 'pg';
import { type Prepared, withStack } from '../http/with-stack.ts';
import { say } from '../measuring/result.ts';
import { custodyRows } from './custody-rows.ts';
import { orderRows } from './order-rows.ts';
import { type FillParameters, randomOwnOrders } from './row-numbers.ts';

export interface GrownStack extends Prepared {
  /** Orders of the organization among the filled ones, at random. */
  readonly orderIds: readonly string[];
}

/** Fills a database without checks of constraints. Connected as the superuser. */
const connect = async ({ stack }: Prepared, name: 'orders' | 'custody') => {
  const { postgres } = stack.file().stores;
  const url = new URL(postgres.superuser);
  url.pathname = new URL(postgres[name]).pathname;
  const client = new pg.Client(url.href);
  await client.connect();
  await client.query('set session_replication_role = replica');
  return client;
};

const fill = async (client: pg.Client, statements: readonly string[], values: FillParameters) => {
  for (const text of statements) await client.query(text, [...values]);
  await client.query('vacuum analyze');
};

/**
 * The local stack with about that many orders in the databases of orders and custody. The auditor is
 * suspended: the filled entries are none that it would accept.
 */
export const withGrownStack = (
  rows: number,
  work: (grown: GrownStack) => Promise<void>,
): Promise<void> =>
  withStack(async (prepared) => {
    const { pid } = prepared.stack.file().services.find(({ name }) => name === 'auditor')!;
    process.kill(pid, 'SIGSTOP');
    try {
      const begun = performance.now();
      const values = [prepared.organizationId, rows, new Date().toISOString()] as const;
      const [orders, custody] = [
        await connect(prepared, 'orders'),
        await connect(prepared, 'custody'),
      ];
      await Promise.all([fill(orders, orderRows, values), fill(custody, custodyRows, values)]);
      const found = await orders.query<{ id: string }>(randomOwnOrders, [...values]);
      await Promise.all([orders.end(), custody.end()]);
      const seconds = ((performance.now() - begun) / 1000).toFixed(0);
      say(`  ${rows.toLocaleString('en')} orders filled in ${seconds} s`);
      await work({ ...prepared, orderIds: found.rows.map(({ id }) => id) });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
