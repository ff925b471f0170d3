/** Controls of the console and the portal: focus, search, menu, suggestions and marks. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();
const phone = { viewport: { width: 390, height: 844 } } as const;

(hasChromium ? describe : describe.skip)('the console', () => {
  const { open, goTo, judge } = consoleBrowser(stack);
  const create = async (more: object = {}): Promise<string> =>
    (await partner(stack).post('/orders', orderBody(more))).body.id;
  const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
  const pathOf = (page: Page) => new URL(page.url()).pathname;

  /** Opens the command `Assign` of a new order by the keyboard, and fills its field. */
  const fillAssign = async (page: Page): Promise<string> => {
    const id = await create();
    await goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Assign', exact: true }).focus();
    await page.keyboard.press('Enter');
    const field = page.getByRole('dialog').getByLabel('Transport organization');
    await field.fill('City Couriers');
    return id;
  };

  test('the focus goes to the next command when a command has removed its own button', async () => {
    const { page, close } = await open(['dispatcher']);
    const window = page.getByRole('dialog');
    const id = await fillAssign(page);
    await page.keyboard.press('Enter');
    await window.waitFor({ state: 'hidden' });
    await until(async () => (await focused(page)) === 'Accept', { what: 'the focus' });
    // the last command leaves no button
    await partner(stack).post(`/orders/${id}/cancel`, { reason: 'not needed' });
    await page.getByText('the order was cancelled before custody began').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).focus();
    await page.keyboard.press('Enter');
    await window.waitFor();
    await page.keyboard.press('Escape');
    await until(async () => (await focused(page)) === 'Sign out', { what: 'the focus' });
    await close();
  });

  test('the focus goes on when the page learns only later that a command removed its button', async () => {
    const { page, close } = await open(['dispatcher']);
    const window = page.getByRole('dialog');
    await fillAssign(page);
    await page.route(/ShowOrder/, (route) => route.abort());
    await page.keyboard.press('Enter');
    await window.waitFor({ state: 'hidden' });
    await until(async () => (await focused(page)) === 'Assign', { what: 'the focus' });
    await page.unroute(/ShowOrder/);
    await until(async () => (await focused(page)) === 'Accept', { what: 'the next command' });
    await close();
  });

  test('after a dialog that no element opened, keys go to the page and not into its first field', async () => {
    const { page, context, close } = await open(['auditor', 'support']);
    const organization = `/organizations/${stack.file().organizations[0]!.id}`;
    const portal = await portalPage(stack, context, '/orders');
    for (const [one, paths] of [
      [page, ['/orders', '/audit', '/ledger', organization]],
      [portal, ['/orders', '/requests']],
    ] as const)
      for (const path of paths) {
        await one.bringToFront();
        await one.goto(new URL(path, one.url()).href);
        await one.locator('#content h1').waitFor();
        await one.keyboard.press('?');
        await one.getByRole('dialog').waitFor();
        await one.keyboard.press('Escape');
        await one.getByRole('dialog').waitFor({ state: 'hidden' });
        const isField = 'document.activeElement.matches("input, select, textarea")';
        expect([path, await one.evaluate(isField)]).toEqual([path, false]);
        await one.keyboard.press('g');
        await one.keyboard.press(one === page ? 'p' : 'e');
        const next = one === page ? '/organizations' : '/endpoints';
        await until(() => pathOf(one) === next, { what: `${next} from ${path}` });
      }
    await close();
  });

  test('an address that names no page says so, and a known one opens', async () => {
    const { page, context, close } = await open(['support']);
    const portal = await portalPage(stack, context, '/orders');
    for (const one of [page, portal])
      for (const path of ['/nothing', '/orders/a/b', '/orderss']) {
        await one.goto(new URL(path, one.url()).href);
        await one.getByRole('heading', { name: 'Not found' }).waitFor();
        expect(pathOf(one)).toBe(path);
        expect(await one.title()).toMatch(/^Not found/);
        const home = one === page ? 'Now' : 'Orders';
        await one.locator('#content').getByRole('link', { name: home }).click();
        const first = one.getByRole('heading', { name: home });
        await first.waitFor();
        await one.goto(new URL('/', one.url()).href);
        await first.waitFor();
      }
    await goTo('/nothing');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await judge();
    await close();
  });

  test('a wrong value of a choice in the address is none, and a right one stays', async () => {
    const { context, close } = await open(['support']);
    const id = await create();
    const portal = await portalPage(stack, context, '/orders?status=WRONG');
    await portal.locator(`a[href="/orders/${id}"]`).waitFor();
    expect(await portal.locator('.problem').count()).toBe(0);
    await portal.goto(new URL('/orders?status=DELIVERED', portal.url()).href);
    await portal.getByText('No order has this status.').waitFor();
    await portal.goto(new URL('/requests?status=WRONG', portal.url()).href);
    await portal.locator('tbody tr').first().waitFor();
    await portal.goto(new URL('/orders?after=WRONG', portal.url()).href);
    await portal.getByText('The address of this page has a wrong part.').waitFor();
    expect(await portal.locator('#content').innerText()).not.toContain('query');
    await close();
  });

  test('Enter opens the only hit of a search, and none of two', async () => {
    const mark = crypto.randomUUID();
    const id = await create({ external_id: `${mark} one` });
    const { page, close } = await open(['support']);
    const search = page.getByLabel('Search orders');
    await search.fill(`${mark} o`);
    await page.keyboard.press('Enter'); // like a scanner, before the answer
    await until(() => pathOf(page) === `/orders/${id}`, { what: 'the order' });
    await create({ external_id: `${mark} other` });
    await goTo('/orders');
    await search.fill(`${mark} o`);
    await until(async () => (await page.locator('tbody tr').count()) === 2, { what: 'two hits' });
    await page.keyboard.press('Enter');
    await search.pressSequentially('t');
    await until(async () => (await page.locator('tbody tr').count()) === 1, { what: 'one hit' });
    expect(pathOf(page)).toBe('/orders'); // the Enter was for another text
    await page.keyboard.press('Enter');
    await until(() => pathOf(page) !== '/orders', { what: 'the other order' });
    await close();
  });

  test('on a phone the head is one line, and its menu has every page and the sign-out', async () => {
    const { page, close } = await open(['support'], phone);
    const head = page.locator('header.frame');
    const menu = page.getByRole('button', { name: 'Menu' });
    const lines = async () => (await head.boundingBox())!.height / 24;
    expect(await lines()).toBeLessThan(2.5);
    expect(await page.getByRole('navigation').count()).toBe(0);
    await menu.click();
    const names = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    // other files' endpoints may fail
    expect(names.map((name) => name.replace(/\s+\d+$/, ''))).toEqual([
      'Now',
      'Orders',
      'Carriers',
      'Organizations',
      'Ledger',
      'Dead letters',
      'Audit log',
      'Operators',
      'Status',
    ]);
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await judge();
    await page.getByRole('link', { name: 'Ledger' }).click();
    await page.getByRole('heading', { name: 'Ledger', level: 1 }).waitFor();
    await page.getByRole('navigation').waitFor({ state: 'hidden' });
    expect(await menu.getAttribute('aria-expanded')).toBe('false');
    await judge();
    await close();
  });

  test('fields suggest the carriers and drivers of open orders', async () => {
    const { orders } = operatorClients(stack);
    const courier = `Couriers ${crypto.randomUUID()}`;
    const circumstances = { orderId: await create() };
    await orders.assignOrder({ circumstances, transportOrganization: courier });
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driver: 'D. Driver' });
    const id = await create();
    const { page, close } = await open(['dispatcher']);
    const suggested = async (button: string) => {
      await goTo(`/orders/${id}`);
      await page.getByRole('button', { name: button, exact: true }).click();
      const option = page.getByRole('dialog').locator('datalist option');
      await option.first().waitFor({ state: 'attached' });
      return option.evaluateAll((all) => all.map((one) => (one as { value?: string }).value));
    };
    expect(await suggested('Assign')).toContain(courier);
    await judge();
    await orders.assignOrder({ circumstances: { orderId: id }, transportOrganization: courier });
    await orders.acceptOrder({ circumstances: { orderId: id } });
    expect(await suggested('Assign driver')).toEqual(['D. Driver']);
    await close();
  });

  test('an incident is marked in the list and in the head of the order, here and in the portal', async () => {
    const external_id = `I-${crypto.randomUUID()}`;
    const id = await create({ external_id });
    const { page, context, close } = await open(['dispatcher']);
    await page.getByLabel('Search orders').fill(external_id);
    const row = page.locator('tbody tr', { hasText: external_id });
    await row.waitFor();
    expect(await row.getByText('incident').count()).toBe(0);
    const report = () =>
      operatorClients(stack).orders.reportIncident({
        circumstances: { orderId: id },
        note: 'A flat tire',
      });
    await report();
    await row.getByText('incident').waitFor();
    await report();
    await row.getByRole('link').click();
    await page
      .getByRole('region', { name: 'Open incidents' })
      .getByText(/^Open: incident, medium, reported .* by local: A flat tire entry 3$/)
      .waitFor();
    await judge();
    // each has its own button
    const incidents = page.getByRole('region', { name: 'Open incidents' });
    await incidents.getByRole('button', { name: 'Resolve: incident' }).first().click();
    await page.getByLabel('How it ended').fill('Another tire.');
    await page.getByRole('button', { name: 'Resolve incident' }).click();
    await incidents.getByRole('link', { name: 'entry 2' }).waitFor({ state: 'detached' });
    const { url } = (await partner(stack).post('/portal-links', {})).body;
    const portal = await context.newPage();
    await portal.goto(url);
    await portal.getByRole('button', { name: 'Open the portal' }).click();
    await portal.locator('#content h1').waitFor();
    await portal.getByLabel('Search orders').fill(external_id);
    await portal.keyboard.press('Enter');
    await portal
      .getByRole('region', { name: 'Open incidents' })
      .getByText(/^Open: incident, medium, reported .*: A flat tire entry 3$/)
      .waitFor();
    await close();
  });
});
