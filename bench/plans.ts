/**
 * Plans of every statement at 10,000,000 orders and 90,000,000 deliveries: those that partners'
 * operations, orders' lives and operators' look-ups send, planned by PostgreSQL for 1,000
 * organizations with 100,000 orders and for 100,000 organizations with 10,000,000. An organization
 * has the same data in both, so a plan whose cost grows reads data of other organizations. The
 * sizes are pretended (plans/pretend-size.ts). Exit code 1 if a plan grows that is not listed
 * below. `node bench/plans.ts`; SHOW=1 prints every statement.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { asSuperuser, databaseNames } from '../e2e/as-superuser.ts';
import { startLocalStack, unlimited } from '../e2e/local-stack.ts';
import { say } from './measuring/report.ts';
import { grows, type Planned, planOf } from './plans/judge.ts';
import { configure, type LoggedStatement, statementsOf } from './plans/logged-statements.ts';
import { pretend } from './plans/pretend-size.ts';
import { everyOperation, fill } from './plans/workload.ts';

const base = { organizations: 10, orders: 100 };
const small = { organizations: 1000, orders: 100_000 };
const large = { organizations: 100_000, orders: 10_000_000 };

/** The services repeat their periodic work within this time, except what they do once an hour. */
const periodicMs = 35_000;

/** Statements that read more the more there is, and why that is right. */
const mayGrow: readonly { readonly part: RegExp; readonly why: string }[] = [
  {
    part: /delete from "order_index_versions"/,
    why: 'it reads the versions of a day, at most one for each checkpoint',
  },
];

const stack = await startLocalStack({ env: unlimited });
try {
  const filled = await fill(stack, base.organizations, base.orders / base.organizations);
  const statements = await statementsOf(stack, async () => {
    await everyOperation(stack, filled.organizations[0]!, filled.receiverUrl);
    await sleep(periodicMs);
  });
  await filled.stop();
  await configure(stack, ['autovacuum = off']);
  let bad = 0;
  for (const database of databaseNames)
    await asSuperuser(stack, database, async (client) => {
      await client.query('set plan_cache_mode = force_custom_plan');
      const own = statements.filter((one) => one.database === database);
      if (own.length === 0) throw new Error(`the log has no statement of ${database}`);
      await client.query('vacuum analyze');
      const plans = async () => {
        const found = new Map<LoggedStatement, Planned | Error>();
        for (const one of own)
          found.set(one, await planOf(client, one).catch((error: Error) => error));
        return found;
      };
      await pretend(client, base, small);
      const few = await plans();
      await pretend(client, small, large);
      const many = await plans();
      let [planned, growing] = [0, 0];
      for (const one of own) {
        const [a, b] = [few.get(one)!, many.get(one)!];
        const shown = one.text.replace(/\s+/g, ' ').slice(0, process.env.SHOW ? 2000 : 160);
        if (a instanceof Error || b instanceof Error) {
          say(`${database}: not planned: ${(a as Error).message}: ${shown}`);
          bad++;
          continue;
        }
        planned++;
        const figures = `${a.cost.toFixed(0)} to ${b.cost.toFixed(0)}`;
        if (process.env.SHOW) say(`${database}: ${figures} ${b.scans.join()}: ${shown}`);
        if (!grows(a, b)) continue;
        growing++;
        const listed = mayGrow.find(({ part }) => part.test(one.text));
        say(`${database}: grows from ${figures} (${b.scans.join()}): ${listed?.why ?? shown}`);
        if (!listed) bad++;
      }
      say(`${database}: ${planned} statements planned, ${growing} grow`);
    });
  process.exitCode = bad > 0 ? 1 : 0;
} finally {
  await stack.stop();
  stack.forget();
}
