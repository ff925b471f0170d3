/** Every window is used by the keyboard alone: what it has is reached, Escape ends it, the focus returns. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { walkOrder } from '../../load.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();

/** What a keyboard reaches in a window; undefined while its controls are loading. */
const controls = `[...document.querySelectorAll('[role=dialog] :is(a[href], button, input, select, textarea, summary)')]
  .filter((one) => !one.disabled && one.checkVisibility() && one.tabIndex >= 0 && one.type !== 'hidden').length`;
const focused = `(() => {
  const one = document.activeElement;
  const window = one.closest('[role=dialog]');
  return window && String([...window.querySelectorAll('*')].indexOf(one));
})()`;

const usesByKeyboard = async (page: Page, name: string, judge: () => Promise<void>) => {
  const button = page.getByRole('button', { name, exact: true }).first();
  await button.focus();
  await page.keyboard.press('Enter');
  const window = page.getByRole('dialog');
  await window.waitFor();
  await until(async () => /^\d+$/.test(await page.evaluate(focused)), { what: 'focus in it' });
  await judge();
  const reached = new Set<string>();
  const count = await page.evaluate<number>(controls);
  // a field of a date has several stops
  for (let n = 0; n < 60 && (n < 3 || reached.size < count); n++) {
    await page.keyboard.press(n < 3 ? 'Shift+Tab' : 'Tab');
    // the end of the window gives the focus back to its beginning a moment later
    const isWithin = async () => /^\d+$/.test(await page.evaluate(focused));
    await until(isWithin, { what: `the focus within ${name}` });
    reached.add(await page.evaluate<string>(focused));
  }
  expect({ name, isWhole: reached.size >= count }).toEqual({ name, isWhole: true });
  await page.keyboard.press('Escape');
  await window.waitFor({ state: 'hidden' });
  const opener = async () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.textContent');
  await until(async () => (await opener()) === name, { what: `the focus on ${name}` });
};

(hasChromium ? describe : describe.skip)('the windows', () => {
  const { open, goTo, judge } = consoleBrowser(stack);
  const anOrder = async () => (await partner(stack).post('/orders', orderBody())).body.id as string;

  test('of the console', async () => {
    const { page, close } = await open(['support', 'dispatcher', 'admin', 'auditor']);
    const { id } = stack.file().organizations[0]!;
    const order = await anOrder();
    await walkOrder(stack, order, 'PICKUP_STARTED');
    const { orders } = operatorClients(stack);
    await orders.reportIncident({ circumstances: { orderId: order }, note: 'A flat tire' });
    const endpoint = (await partner(stack).post('/webhooks', { url: 'https://127.0.0.1:9/h' }))
      .body;
    const windows: Readonly<Record<string, readonly string[]>> = {
      '/': ['Shortcuts'],
      [`/orders/${order}`]: [
        ...['Seal', 'Arrived', 'Report incident', 'Escalate', 'Record a handover'],
        ...['Resolve: incident', 'Links for a ward'],
      ],
      '/carriers': ['Add a carrier'],
      [`/organizations/${id}`]: ['Create a link'],
      '/operators': ['Issue a token'],
      [`/endpoints/${endpoint.id}`]: ['Rotate the secret', 'Recover'],
    };
    for (const [path, names] of Object.entries(windows)) {
      await goTo(path);
      if (path.startsWith('/endpoints')) await page.locator('summary', { hasText: 'More' }).click();
      for (const name of names) await usesByKeyboard(page, name, judge);
    }
    await partner(stack).call('DELETE', `/webhooks/${endpoint.id}`);
    await close();
  });

  test('of the portal', async () => {
    const { context, close } = await open(['support']);
    const page = await portalPage(stack, context, '/endpoints');
    await page.bringToFront();
    await usesByKeyboard(page, 'Add an endpoint', async () => {});
    await close();
  });
});
