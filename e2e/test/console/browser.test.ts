/** The console in Chromium: each page and state, and what a dispatcher does with an order. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { shortId } from '../../../console/src/parts/short-id.ts';
import { hasChromium } from '../../chromium.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { hostileTexts } from './watched-page.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the console', () => {
  const console = consoleBrowser(stack);
  const { judge, goTo } = console;
  let page: Page;
  const open = async (roles: readonly string[], options: BrowserContextOptions = {}) => {
    const opened = await console.open(roles, options);
    page = opened.page;
    return opened;
  };
  const create = async (more: object = {}): Promise<string> =>
    (await partner(stack).post('/orders', orderBody(more))).body.id;
  const statusOf = async (id: string) => (await partner(stack).get(`/orders/${id}`)).body.status;

  test('a dispatcher takes an order from submitted to closed with its buttons', async () => {
    const { close } = await open(['dispatcher']);
    const id = await create();
    await goTo(`/orders/${id}`);
    const step = async (name: string, fields: Record<string, string>, status: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      const window = page.getByRole('dialog');
      for (const [label, value] of Object.entries(fields))
        await window.getByLabel(label).first().fill(value);
      await window.getByRole('button', { name, exact: true }).click();
      await window.waitFor({ state: 'hidden' });
      expect(await statusOf(id)).toBe(status);
    };
    await step('Assign', { 'Transport organization': 'City Couriers' }, 'ASSIGNED');
    await step('Accept', {}, 'ACCEPTED');
    await step('Assign driver', { Driver: 'D. Driver' }, 'DRIVER_ASSIGNED');
    await step('Report incident', { 'What happened': 'Flat tyre' }, 'DRIVER_ASSIGNED');
    await step('Start pick-up', {}, 'PICKUP_STARTED');
    await page.getByText('at the pick-up in').waitFor();
    await step('Seal', { Seal: 'S-77' }, 'SEALED');
    await step('Start transport', {}, 'IN_TRANSIT');
    await step('Deliver', {}, 'DELIVERED');
    await step('Close the order', {}, 'CLOSED');
    await page.getByText('Recomputed in this browser: 10 entries fit together.').waitFor();
    await judge();
    await close();
  });

  test('a command whose answer is lost is pressed again, and done once', async () => {
    const { close } = await open(['dispatcher']);
    const id = await create();
    await goTo(`/orders/${id}`);
    const before = (await partner(stack).get(`/orders/${id}/events`)).body.length;
    let lost = 0;
    await page.route('**/ReportIncident', async (route) => {
      if (lost > 1) return route.continue();
      await route.fetch(); // done, and no answer arrives
      lost += 1;
      return route.abort();
    });
    const press = async (note: string) => {
      const window = page.getByRole('dialog');
      if (!(await window.isVisible()))
        await page.getByRole('button', { name: 'Report incident' }).click();
      await window.getByLabel('What happened').fill(note);
      await window.getByRole('button', { name: 'Report incident' }).click();
      return window;
    };
    const window = await press('Flat tyre');
    await window.getByText('Press again: it is done once.').waitFor();
    await judge();
    await press('Flat tyre');
    await until(() => lost === 2, { what: 'the second answer to be lost' });
    await window.getByText('Press again: it is done once.').waitFor();
    // closed and opened again: still the same command, which is not done with another note
    await window.getByRole('button', { name: 'Back' }).click();
    await press('Two flat tyres');
    await window.getByText('has been done, with other fields').waitFor();
    await window.getByRole('button', { name: 'Back' }).click();
    const entries = () => partner(stack).get(`/orders/${id}/events`);
    const count = async () => (await entries()).body.length;
    await until(async () => (await count()) === before + 1, { what: 'the incident' });
    // another incident is another command
    await press('Two flat tyres');
    await window.waitFor({ state: 'hidden' });
    await until(async () => (await count()) === before + 2, { what: 'the second incident' });
    await close();
  });

  test('a step that the state machine refuses says why, also after the page has followed, and changes nothing', async () => {
    const { close } = await open(['dispatcher']);
    const id = await create();
    await goTo(`/orders/${id}`);
    await page.getByRole('button', { name: 'Assign', exact: true }).click();
    await partner(stack).post(`/orders/${id}/cancel`, { reason: 'not needed' });
    const window = page.getByRole('dialog');
    await window.getByLabel('Transport organization').fill('City Couriers');
    await window.getByRole('button', { name: 'Assign', exact: true }).click();
    await window.getByRole('alert').waitFor();
    await page.locator('.badge', { hasText: 'cancelled' }).waitFor(); // the page is live
    expect(await window.getByRole('alert').innerText()).toContain('CANCELLED');
    expect(await statusOf(id)).toBe('CANCELLED');
    await close();
  });

  test('the list follows changes, and finds an order by reference, id and city', async () => {
    const { close } = await open(['support']);
    const external_id = `E-${crypto.randomUUID()}`;
    const id = await create({ external_id });
    const row = page.locator('tbody tr', { hasText: external_id });
    await row.getByText(/pick-up by .* in /).waitFor(); // without a reload
    for (const text of [external_id, id, external_id.slice(3, 20).toUpperCase()]) {
      await page.keyboard.press('Escape');
      await page.getByLabel('Search orders').fill(text);
      await until(async () => (await page.locator('tbody tr').count()) === 1, {
        what: `the order found by ${text}`,
      });
      await page.getByRole('link', { name: external_id }).waitFor();
    }
    await judge();
    await close();
  });

  test('a relative time goes on although nothing is read', async () => {
    const { close } = await open(['support']);
    const id = await create();
    await goTo(`/orders/${id}`);
    const changed = page.locator('.bar time').first();
    await changed.waitFor();
    await page.context().setOffline(true);
    const before = await changed.innerText();
    await until(async () => (await changed.innerText()) !== before, { what: 'a later time' });
    await close();
  });

  test('a filter is in the address, and the way back leads to the one before', async () => {
    const { close } = await open(['support']);
    const address = () => new URL(page.url()).search;
    await page.getByText('Ended', { exact: true }).click();
    await until(() => address() === '?show=ended', { what: 'the filter' });
    await page.getByText('All', { exact: true }).click();
    await page.getByLabel('Search orders').fill('not there');
    await page.getByText('Nothing found.').waitFor();
    await page.goBack();
    await until(() => address() === '?show=ended', { what: 'the filter before' });
    expect(await page.getByRole('radio', { name: 'Ended' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Search orders').inputValue()).toBe('');
    await page.goBack();
    expect(await page.getByRole('radio', { name: 'Open', exact: true }).isChecked()).toBe(true);
    await close();
  });

  test('a role sees no button whose call it may not make', async () => {
    const { close } = await open(['support']);
    const id = await create();
    await goTo(`/orders/${id}`);
    await page.getByRole('heading', { name: 'Custody chain' }).waitFor();
    expect(await page.getByRole('button', { name: 'Assign' }).count()).toBe(0);
    await goTo(`/organizations/${stack.file().organizations[0]!.id}`);
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    expect(await page.getByRole('button', { name: /Issue|Revoke|Rotate/ }).count()).toBe(0);
    await judge();
    await close();
  });

  test('support finds the request that a partner quotes, among hostile ones', async () => {
    const { close } = await open(['support']);
    const headers = { 'X-Request-Id': `quoted-${crypto.randomUUID()}` };
    const get = (path: string, more = {}) => partner(stack).call('GET', path, undefined, more);
    const missing = crypto.randomUUID();
    await get(`/orders/${missing}`, headers);
    for (const text of hostileTexts)
      await get(`/${encodeURIComponent(text)}`, { 'X-Request-Id': 'W'.repeat(128) });
    await goTo(`/organizations/${stack.file().organizations[0]!.id}`);
    const log = page.getByRole('region', { name: 'Requests' });
    await log.getByTitle(headers['X-Request-Id']).waitFor(); // live, within seconds
    await log.getByLabel('Request id').fill(headers['X-Request-Id']);
    await until(async () => (await log.locator('tbody tr').count()) === 1, { what: 'one row' });
    expect(await log.locator('tbody tr').innerText()).toMatch(
      new RegExp(`GET[^]*/orders/${shortId(missing)}[^]*404[^]*NOT_FOUND`),
    );
    await judge();
    await log.getByLabel('Status').selectOption('5xx');
    await log.getByText('No such request in the last 7 days.').waitFor();
    await judge();
    await log.getByLabel('Request id').fill('');
    await log.getByLabel('Status').selectOption('4xx');
    await page.setViewportSize({ width: 390, height: 844 });
    await log.locator('tbody tr').nth(hostileTexts.length).waitFor();
    await judge();
    await close();
  });

  test('support sees why an order was rejected', async () => {
    const { close } = await open(['support'], { viewport: { width: 390, height: 844 } });
    const headers = { 'X-Request-Id': `rejected-${crypto.randomUUID()}` };
    const items = hostileTexts.map((text) => ({ goods_type: [text], [text]: 1 }));
    await partner(stack).post('/orders', orderBody({ items, sla: 'FAST' }), headers);
    const organization = stack.file().organizations[0]!.id;
    await goTo(`/organizations/${organization}?request=${headers['X-Request-Id']}`);
    const row = page.getByRole('region', { name: 'Requests' }).locator('tbody tr');
    await row.getByText('body.sla enum').waitFor();
    await row.getByText('body.items.0.goods_type string_type').waitFor();
    await judge();
    await close();
  });

  test('the keyboard reaches every page, and no shortcut acts while a person types', async () => {
    const { close } = await open(['auditor']);
    for (const [key, heading] of [
      ['p', 'Organizations'],
      ['l', 'Ledger'],
      ['d', 'Dead letters'],
      ['a', 'Audit log'],
      ['u', 'Operators'],
      ['s', 'Status'],
      ['o', 'Orders'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    }
    await page.keyboard.press('/');
    await page.keyboard.type('gs?');
    expect(await page.getByLabel('Search orders').inputValue()).toBe('gs?');
    await close();
  });

  test('an ended session shows the sign-in, and nothing of the operator before', async () => {
    const { close, context } = await open(['support']);
    await create();
    await page.locator('tbody tr').first().waitFor();
    await context.clearCookies();
    await page.getByLabel('Personal token').waitFor();
    expect(await page.locator('tbody').count()).toBe(0);
    const stored = await page.evaluate<number>('localStorage.length + sessionStorage.length');
    expect(stored).toBe(0);
    await close();
  });
});
