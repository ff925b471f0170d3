/** The public status page while processes of a real stack are stopped, and while orders can only be read. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { recentSite } from '@pto/site';
import { until } from '@pto/testing';
import { asSuperuser } from '../../as-superuser.ts';
import { signalAll } from '../../kill.ts';
import { liveOrder } from '../../load.ts';
import type { LocalStack } from '../../local-stack.ts';

export const statusShowsUnavailableComponents = (stack: LocalStack): void => {
  const at = (path: string): string => new URL(path, stack.file().baseUrl).href;
  const readStatus = async () => {
    const response = await fetch(at('/status.json'));
    expect(response.status).toBe(200);
    return (await response.json()) as {
      status: string;
      components: {
        name: string;
        status: string;
        newest_checkpoint_age_seconds?: number;
        newest_checkpoint_at?: string;
      }[];
    };
  };
  const component = async (name: string) =>
    (await readStatus()).components.find((one) => one.name === name)!;
  const untilIs = (name: string, status: string) =>
    until(async () => (await component(name)).status === status, {
      what: `${name} to be ${status}`,
      deadlineMs: 40_000,
    });

  // the local stack builds the pages after its start
  beforeAll(() => recentSite().build());

  let repair: (() => unknown) | undefined;
  afterEach(async () => {
    await repair?.();
    repair = undefined;
  });

  test('all components are available, and the ledger has a checkpoint', async () => {
    await liveOrder(stack, 'status');
    await until(async () => (await component('custody')).newest_checkpoint_age_seconds !== null, {
      what: 'a checkpoint',
    });
    expect(await readStatus()).toMatchObject({ status: 'available' });
    const custody = await component('custody');
    expect(custody.newest_checkpoint_age_seconds).toBeLessThan(120);
    expect(custody.newest_checkpoint_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test.each(['orders', 'custody', 'webhooks'])(
    '%s is unavailable while its process stands still, and no other component is',
    async (name) => {
      repair = () => signalAll(stack, name, 'SIGCONT');
      signalAll(stack, name, 'SIGSTOP');
      await untilIs(name, 'unavailable');
      const { status, components } = await readStatus();
      expect(status).toBe('unavailable');
      expect(components.filter((one) => one.status !== 'available')).toHaveLength(1);
      const page = await (await fetch(at('/status'))).text();
      expect(page).toContain('At least one component is unavailable.');
      expect(page).not.toMatch(/127\.0\.0\.1|localhost:\d/);
      signalAll(stack, name, 'SIGCONT');
      await untilIs(name, 'available');
    },
  );

  test('orders is degraded while its database accepts no writes', async () => {
    const set = (change: string) =>
      asSuperuser(stack, 'orders', async (client) => {
        await client.query(`alter role orders_service ${change}`);
        await client.query(
          "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'orders_service'",
        );
      });
    repair = () => set('reset default_transaction_read_only');
    await set('set default_transaction_read_only = on');
    await untilIs('orders', 'degraded');
    await repair();
    await untilIs('orders', 'available');
  });

  test('the connectivity page has the figures of the running service', async () => {
    const page = await (await fetch(at('/docs/connectivity'))).text();
    expect(page).toContain('A delivery has 6 attempts within 31 s');
    expect(page).not.toContain('data-fill');
  });
};
