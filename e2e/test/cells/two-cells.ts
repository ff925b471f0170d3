/** Two cells behind one gateway: what is of one cell, what both share, and one that does not respond. */
import { beforeAll, expect, test } from '@jest/globals';
import { verifyProof } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import { Client } from 'pg';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { signInByForm } from '../../console-sign-in.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operator, operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { openWatched } from '../console/watched-page.ts';

const cells = ['main', 'north'] as const;
type Cell = (typeof cells)[number];
const scopes = ['orders:read', 'orders:write', 'webhooks:manage'];
const logs = { main: '/custody', north: '/cells/north/custody' } as const;
const origins = { main: 'localhost/custody', north: 'localhost/custody/north' } as const;

export const twoCells = (stack: LocalStack): void => {
  const keys = new Map<Cell, string>();
  const orders = new Map<Cell, string>();
  const of = (cell: Cell) => partner(stack, keys.get(cell));
  const atRoot = (path: string) => fetch(new URL(path, stack.file().gateways[0]));
  const json = async <T>(path: string): Promise<T> => (await (await atRoot(path)).json()) as T;

  beforeAll(async () => {
    const { access } = operatorClients(stack);
    for (const cell of cells) {
      const words = ['org', 'create', '--name', `Clinic of ${cell}`, '--cell', cell];
      const { json: made } = await operator(stack, ...words);
      expect(made).toMatchObject({ name: `Clinic of ${cell}`, cell });
      const { id: organizationId } = made as { id: string };
      keys.set(cell, (await access.issueKey({ organizationId, scopes })).secret);
    }
  }, 100_000);

  /** Ids of the orders in a cell's own database. */
  const stored = async (cell: Cell): Promise<string[]> => {
    const urls: Readonly<Record<string, string>> = stack.file().stores.postgres;
    const client = new Client({
      connectionString: urls[cell === 'main' ? 'orders' : `orders_${cell}`],
    });
    await client.connect();
    try {
      return (await client.query<{ id: string }>('select id from orders')).rows.map(({ id }) => id);
    } finally {
      await client.end();
    }
  };

  test.each(cells)('an order of %s lives in its cell alone, up to the webhooks', async (cell) => {
    const receiver = await startReceiver(stack);
    await receiver.subscribe(keys.get(cell));
    const created = await of(cell).post('/orders', orderBody({ external_id: `order of ${cell}` }));
    expect(created.status).toBe(201);
    const { id } = created.body;
    orders.set(cell, id);
    // the operator's commands name no cell: that of the order is found
    expect(await operator(stack, 'order', 'walk', id, '--to', 'ACCEPTED')).toMatchObject({
      code: 0,
    });
    await until(() => receiver.received.some(({ event }) => event === 'order.accepted'), {
      what: 'the webhook of the acceptance',
    });
    expect(await receiver.received[0]!.signed).toBe(true);
    await receiver.stop();
    const other = cells.find((one) => one !== cell)!;
    expect(await stored(cell)).toContain(id);
    expect(await stored(other)).not.toContain(id);
    expect((await of(other).get(`/orders/${id}`)).status).toBe(404);
    const numbers = (await of(cell).get('/events')).body.data.map(
      (one: { number: number }) => one.number,
    );
    expect(numbers).toEqual(numbers.map((_: number, n: number) => n + 1));
  });

  test.each(cells)('an order of %s is proven by the log of its cell', async (cell) => {
    const id = orders.get(cell)!;
    const { origin, keys: vkeys } = await json<{ origin: string; keys: { vkey: string }[] }>(
      `${logs[cell]}/keys.json`,
    );
    expect(origin).toBe(origins[cell]);
    const { logs: listed } = await json<{ logs: object[] }>('/custody/logs.json');
    expect(listed).toContainEqual({ path: logs[cell], origin, keys: vkeys });
    const trustedKeys = vkeys.map(({ vkey }) => vkey);
    await until(
      async () => {
        const { text } = await of(cell).get(`/orders/${id}/custody/proof`);
        return (await verifyProof(text, { trustedKeys })).verdict === 'proven';
      },
      { what: 'a proof under a checkpoint of the cell' },
    );
    expect(await (await atRoot(`${logs[cell]}/checkpoint`)).text()).toMatch(`${origins[cell]}\n`);
    // the page for everybody knows the keys of both logs
    expect(await (await atRoot('/verify')).text()).toContain(trustedKeys[0]);
  });

  test('what is of no single organization needs the name of a cell', async () => {
    const unnamed = await operator(stack, 'ledger', 'verify');
    expect([unnamed.code, unnamed.stderr]).toEqual([1, expect.stringContaining('main, north')]);
    for (const cell of cells) {
      const { code, json: found } = await operator(stack, 'ledger', 'verify', '--cell', cell);
      expect([code, found]).toEqual([0, expect.objectContaining({ valid: true, orders: 1 })]);
    }
    const unknown = await operator(stack, 'ledger', 'verify', '--cell', 'south');
    expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('no cell')]);
    const misplaced = await operator(stack, 'org', 'create', '--name', 'X', '--cell', 'south');
    expect([misplaced.code, misplaced.stderr]).toEqual([1, expect.stringContaining('no cell')]);
  });

  (hasChromium ? test : test.skip)(
    'the console shows the lists of the chosen cell',
    async () => {
      const browser = await launchChromium();
      try {
        const { page, judge } = await openWatched(browser);
        await signInByForm(page, stack, ['dispatcher', 'support']);
        await page.goto(`${stack.file().consoleUrl}/orders`);
        await page.getByText('order of main').waitFor();
        expect(await page.getByText('order of north').count()).toBe(0);
        await page.getByLabel('Cell').selectOption('north');
        await page.getByText('order of north').waitFor();
        expect(await page.getByText('order of main').count()).toBe(0);
        await judge();
        await page.reload();
        await page.getByText('order of north').waitFor();
        // what names its organization or order is found in its cell
        await page.goto(`${stack.file().consoleUrl}/orders/${orders.get('main')}`);
        await page.getByText('order of main').first().waitFor();
        await page.getByLabel('Custody chain').waitFor();
      } finally {
        await browser.close();
      }
    },
    60_000,
  );

  test.each(cells)(
    '%s does not respond: the other cell goes on, and /status.json shows it without its name',
    async (down) => {
      const up = cells.find((one) => one !== down)!;
      const [endpoint] = (await of(up).get('/webhooks')).body;
      const trusted = await json<{ origin: string; keys: { vkey: string }[] }>(
        `${logs[up]}/keys.json`,
      );
      const stopped = ['orders', 'custody'];
      const pids = stack
        .file()
        .services.filter(({ name, cell }) => stopped.includes(name) && cell === down)
        .map(({ pid }) => pid);
      expect(pids).toHaveLength(stopped.length);
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      try {
        const waiting = of(down).get(`/orders/${orders.get(down)}`);
        expect((await of(up).post('/orders', orderBody())).status).toBe(201);
        // operators reach what is in the other cell without its name
        for (const words of [
          ['order', 'show', orders.get(up)!],
          ['ledger', 'export', orders.get(up)!],
          ['endpoint', 'show', endpoint.id],
          ['endpoint', 'enable', endpoint.id],
        ])
          expect(await operator(stack, ...words)).toMatchObject({ code: 0 });
        const listed = (await json<{ logs: object[] }>('/custody/logs.json')).logs;
        expect(listed).toContainEqual({ path: logs[down] });
        expect(listed).toContainEqual({ path: logs[up], ...trusted });
        expect(await (await atRoot('/verify')).text()).toContain(trusted.keys[0]!.vkey);
        const components = await until(
          async () => {
            const { components } = await json<{ components: { name: string; status: string }[] }>(
              '/status.json',
            );
            const found = components.filter(({ status }) => status === 'degraded');
            return found.length === stopped.length && components;
          },
          { deadlineMs: 15_000, what: 'the degraded components' },
        );
        expect(components.map(({ name }) => name)).toEqual([
          'api',
          'orders',
          'custody',
          'webhooks',
        ]);
        expect(JSON.stringify(components)).not.toMatch(/main|north/);
        expect((await waiting).status).toBe(503);
      } finally {
        for (const pid of pids) process.kill(pid, 'SIGCONT');
      }
      expect((await of(down).get(`/orders/${orders.get(down)}`)).status).toBe(200);
    },
    90_000,
  );
};
