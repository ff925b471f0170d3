import { asSuperuser } from '../../e2e/as-superuser.ts';
import { type Prepared, withStack } from '../http/stack.ts';
import { say } from '../measuring/report.ts';
import { custodyRows, orderRows, randomOwnOrders } from './rows.ts';

export interface GrownStack extends Prepared {
  /** Orders of the organization among the filled ones, at random. */
  readonly orderIds: readonly string[];
}

/** Runs statements without checks of constraints, as the superuser. @returns the last one's rows. */
const fill = (
  { stack }: Prepared,
  name: 'orders' | 'custody',
  statements: readonly string[],
  values: readonly unknown[],
): Promise<{ id: string }[]> =>
  asSuperuser(stack, name, async (client) => {
    await client.query('set session_replication_role = replica');
    let last: { id: string }[] = [];
    for (const text of statements) last = (await client.query(text, [...values])).rows;
    await client.query('vacuum analyze');
    return last;
  });

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
      const values = [prepared.organizationId, rows, new Date().toISOString()];
      const [found] = await Promise.all([
        fill(prepared, 'orders', [...orderRows, randomOwnOrders], values),
        fill(prepared, 'custody', custodyRows, values),
      ]);
      say(`  ${rows.toLocaleString('en')} orders filled`);
      await work({ ...prepared, orderIds: found.map(({ id }) => id) });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
  });
