/** The portal in Chromium: what a partner's person does with a link, and two partners side by side. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { verifyProof } from '@pto/custody-verifier';
import { until } from '@pto/testing';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { walkOrder } from '../../load.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { sharedStack } from '../test-stack.ts';
import { hostileTexts, openWatched } from './watched-page.ts';

const stack = sharedStack();

const other = () => partner(stack, stack.file().organizations[1]!.keys.all);
const walk = (id: string, to: string) => walkOrder(stack, id, to);

const linkOf = async (of: ReturnType<typeof partner>, rights: object = {}): Promise<string> => {
  const { status, body } = await of.post('/portal-links', rights);
  expect(status).toBe(201);
  return body.url;
};

(hasChromium ? describe : describe.skip)('the portal', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  /** Opens the portal by a new link. */
  const open = async (
    rights: object = {},
    options: BrowserContextOptions = {},
    of = partner(stack),
  ) => {
    const opened = await openWatched(browser, options);
    await opened.page.goto(await linkOf(of, rights));
    await opened.page.getByRole('button', { name: 'Open the portal' }).click();
    await opened.page.locator('#content h1').waitFor();
    return { ...opened, origin: new URL(opened.page.url()).origin };
  };
  const create = async (more: object = {}, of = partner(stack)): Promise<string> =>
    (await of.post('/orders', orderBody(more))).body.id;

  test('a link is opened once, by a button, and leaves the address bar', async () => {
    const url = await linkOf(partner(stack));
    const [first, second] = [await openWatched(browser), await openWatched(browser)];
    for (const { page } of [first, second]) {
      await page.goto(url);
      await page.getByRole('button', { name: 'Open the portal' }).waitFor();
      expect(page.url()).not.toContain('ptl_');
    }
    await first.page.getByRole('button', { name: 'Open the portal' }).click();
    await first.page.getByRole('heading', { name: 'Orders' }).waitFor();
    await second.page.getByRole('button', { name: 'Open the portal' }).click();
    await second.page.getByText('This link was opened before; it works once.').waitFor();
    await second.judge();
    const history = await first.page.evaluate<string>('location.href + document.referrer');
    expect(history).not.toContain('ptl_');
    expect(await first.page.evaluate<number>('localStorage.length + sessionStorage.length')).toBe(
      0,
    );
    expect(await first.page.evaluate<string>('document.cookie')).toBe('');
    await first.context.close();
    await second.context.close();
  });

  test('an answer that is lost does not use the link up in this browser, and does in others', async () => {
    const url = await linkOf(partner(stack));
    const { page, context, judge } = await openWatched(browser);
    let lost = 0;
    await page.route('**/session', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.goto(url);
    await page.getByRole('button', { name: 'Open the portal' }).click();
    await page.getByText('Press the button again within a minute').waitFor();
    await judge();
    const other = await openWatched(browser);
    await other.page.goto(url);
    await other.page.getByRole('button', { name: 'Open the portal' }).click();
    await other.page.getByText('This link was opened before; it works once.').waitFor();
    await page.getByRole('button', { name: 'Open the portal' }).click();
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(lost).toBe(2);
    await context.close();
    await other.context.close();
  });

  test('the list marks an order of which an incident was reported, and no other', async () => {
    const [id, other] = [await create(), await create()];
    const { page, context } = await open();
    const row = (order: string) =>
      page.locator('tbody tr', { has: page.locator(`a[href="/orders/${order}"]`) });
    await row(id).waitFor();
    const { orders } = operatorClients(stack);
    const circumstances = { orderId: id };
    await orders.assignOrder({ circumstances, transportOrganization: 'City Couriers' });
    await orders.escalateOrder({ circumstances, note: 'late' });
    expect((await partner(stack).get(`/orders/${id}`)).body.has_incident).toBe(false);
    await orders.reportIncident({ circumstances, note: 'A flat tire' });
    expect((await partner(stack).get(`/orders/${id}`)).body.has_incident).toBe(true);
    await row(id).getByText('escalation +1', { exact: true }).waitFor(); // without a reload
    expect(await row(other).getByText('incident').count()).toBe(0);
    await context.close();
  });

  test('three questions: who holds it, was the hospital told, can I prove it', async () => {
    const receiver = await startReceiver(stack);
    const endpoint = (await partner(stack).post('/webhooks', { url: receiver.url })).body;
    expect(endpoint.status).toBe('ENABLED');
    const external_id = `P-${crypto.randomUUID()}`;
    const { page, context, judge } = await open();
    const id = await create({ external_id });
    await walk(id, 'IN_TRANSIT');
    await page.getByRole('link', { name: external_id }).click(); // the list follows
    await page.getByText('on the way to').waitFor();
    await page.getByText(/Recomputed in this browser: \d+ entries fit together/).waitFor();
    await until(async () => (await page.getByText('order.in_transit').count()) > 0, {
      what: 'the delivery',
    });
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download the proof' }).click();
    const proof = readFileSync((await (await download).path())!, 'utf8');
    expect(proof).toContain(id);
    expect((await verifyProof(proof)).verdict).toBe('consistent');
    await judge();
    await context.close();
    await receiver.stop();
  });

  test('a partner cancels an order, and sees why another one cannot be cancelled', async () => {
    const { page, context, origin } = await open();
    const [id, late] = [await create(), await create()];
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' });
    const cancel = async (of: string) => {
      await page.goto(`${origin}/orders/${of}`);
      await page.getByRole('button', { name: 'Cancel the order' }).click();
      await page.getByLabel('Reason').fill('The donor was not available.');
    };
    await cancel(id);
    await confirm.click();
    await page.getByText('the order was cancelled before custody began').waitFor();
    expect((await partner(stack).get(`/orders/${id}`)).body.status).toBe('CANCELLED');
    await cancel(late);
    await walk(late, 'PICKUP_STARTED');
    await confirm.click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect((await partner(stack).get(`/orders/${late}`)).body.status).toBe('PICKUP_STARTED');
    await context.close();
  });

  test('a partner tests, rotates, disables and recovers an endpoint', async () => {
    const receiver = await startReceiver(stack);
    const { id } = (await partner(stack).post('/webhooks', { url: receiver.url })).body;
    const { page, context, origin, judge } = await open({ endpoint_id: id });
    await page.getByRole('heading', { name: receiver.url }).waitFor(); // its only page
    await page.locator('summary', { hasText: 'More' }).click();
    const step = async (name: string, result: RegExp) => {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
      await page.getByText(result).waitFor();
    };
    await step('Test', /^Delivered: 2/);
    await step('Disable', /^Disabled\.$/);
    // a disabled endpoint rejects it
    await page.getByRole('button', { name: 'Recover' }).waitFor({ state: 'detached' });
    await create();
    await step('Enable', /^Enabled\.$/);
    await page.getByRole('button', { name: 'Recover' }).click();
    await page
      .getByLabel('Since (UTC)')
      .fill(new Date(Date.now() - 600_000).toISOString().slice(0, 16));
    await page.getByRole('dialog').getByRole('button', { name: 'Recover' }).click();
    await page.getByText(/event.* queued\.$/).waitFor();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate' }).click();
    await page.getByText(/Nobody can show it again/).waitFor();
    expect(await page.getByRole('dialog').innerText()).toContain('whsec_');
    await page.getByRole('button', { name: 'Close' }).click();
    await judge();
    await page.goto(`${origin}/orders`);
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await context.close();
    await receiver.stop();
  });

  test('a link for reading has no button that changes anything', async () => {
    const { page, context, origin } = await open({ read_only: true });
    const id = await create();
    await page.goto(`${origin}/orders/${id}`);
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    expect(await page.getByRole('button').allInnerTexts()).toEqual(['Deutsch', 'Sign out', 'Copy']);
    await context.close();
  });

  test('of two partners side by side neither sees what is the other one’s', async () => {
    const [one, two] = [partner(stack), other()];
    const mine = await create({ external_id: `mine ${crypto.randomUUID()}` }, one);
    const theirs = await create({ external_id: `theirs ${crypto.randomUUID()}` }, two);
    const [left, right] = [await open({}, {}, one), await open({}, {}, two)];
    for (const [{ page, origin }, own, foreign] of [
      [left, mine, theirs],
      [right, theirs, mine],
    ] as const) {
      await page.locator(`a[href="/orders/${own}"]`).waitFor();
      expect(await page.locator(`a[href="/orders/${foreign}"]`).count()).toBe(0);
      await page.goto(`${origin}/orders/${foreign}`);
      await page.getByText('NOT_FOUND').waitFor();
    }
    await left.context.close();
    await right.context.close();
  });

  test('a new link in a browser replaces its session, with nothing of the one before', async () => {
    const { page, context } = await open();
    const mine = await create();
    await page.locator(`a[href="/orders/${mine}"]`).waitFor();
    await page.goto(await linkOf(other()));
    await page.getByRole('button', { name: 'Open the portal' }).click();
    await page.getByText(stack.file().organizations[1]!.name).waitFor();
    expect(await page.locator(`a[href="/orders/${mine}"]`).count()).toBe(0);
    await context.close();
  });

  test('the less of the shared budget is left, the more slowly pages read', async () => {
    const { page, context } = await openWatched(browser);
    await page.clock.install();
    let reads = 0;
    await page.route('**/api/orders?*', async (route) => {
      reads += 1;
      const response = await route.fetch();
      const headers = { ...response.headers(), 'x-ratelimit-remaining': '60' }; // of 600
      await route.fulfill({ response, headers });
    });
    await page.goto(await linkOf(partner(stack), { scopes: ['orders:read'] }));
    await page.getByRole('button', { name: 'Open the portal' }).click();
    await page.locator('tbody, .empty').waitFor();
    await page.clock.runFor(45_000); // the usual pace is 5 s
    expect(reads).toBe(1);
    await page.clock.runFor(10_000);
    await until(async () => reads === 2, { what: 'the next read' });
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });

  test('the end of a session is said, and nothing is shown after it', async () => {
    const { page, context, judge } = await open();
    await create();
    await page.locator('tbody tr').first().waitFor();
    expect((await partner(stack).call('DELETE', '/portal-links')).status).toBe(204);
    await page.getByText('You have no session here, or it has ended.').waitFor();
    expect(await page.locator('tbody').count()).toBe(0);
    await judge();
    await context.close();
  });

  test('the end of a session is said where the gateway throttles the address', async () => {
    const { page, context } = await open();
    const error = { code: 'RATE_LIMITED', message: 'Too many requests; wait a moment.' };
    await page.route('**/api/**', (route) => route.fulfill({ status: 429, json: { error } }));
    expect((await partner(stack).call('DELETE', '/portal-links')).status).toBe(204);
    await page.getByText('You have no session here, or it has ended.').waitFor();
    await context.close();
  });

  test.each<[string, BrowserContextOptions]>([
    ['light', { colorScheme: 'light' }],
    ['dark, on a phone', { colorScheme: 'dark', viewport: { width: 390, height: 844 } }],
  ])('every page is accessible and fits, with hostile texts, in %s', async (_name, options) => {
    const receiver = await startReceiver(stack);
    const endpoint = (
      await partner(stack).post('/webhooks', { url: `${receiver.url}/${'w'.repeat(300)}` })
    ).body;
    const ids: string[] = [];
    for (const text of hostileTexts)
      ids.push(
        await create({
          external_id: `${text.slice(0, 200)} ${Math.random()}`,
          notes: text,
          items: [{ goods_type: text }],
        }),
      );
    const { page, context, judge, origin } = await open({}, options);
    for (const path of [
      '/orders',
      '/orders?status=SUBMITTED',
      '/requests',
      '/requests?status=4xx',
      ...ids.map((id) => `/orders/${id}`),
      '/endpoints',
      `/endpoints/${endpoint.id}`,
      `/orders/${crypto.randomUUID()}`,
    ]) {
      await page.goto(origin + path);
      await page.locator('#content :is(h1, .problem)').first().waitFor();
      await judge();
    }
    await context.close();
    await partner(stack).call('DELETE', `/webhooks/${endpoint.id}`);
    await receiver.stop();
  });
});
