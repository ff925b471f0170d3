/** The map of open orders. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the map', () => {
  const { open, goTo, judge } = consoleBrowser(stack);

  test('shows an open order in the marker of its place and in a list, which the marker narrows', async () => {
    const external_id = `MAP-${crypto.randomUUID()}`;
    const { body } = await partner(stack).post('/orders', orderBody({ external_id }));
    const { page, close } = await open(['support']);
    await goTo('/');
    await page.getByRole('link', { name: 'Map' }).click();
    const own = page.locator('li', { hasText: external_id });
    const link = own.getByRole('link');
    await link.waitFor();
    expect(await page.title()).toMatch(/^Map – Sandbox Console/);
    const waiting = page.getByRole('region', { name: 'Waiting for me' });
    await waiting.getByRole('link', { name: external_id }).waitFor();
    await page.getByText(/\d+ open orders? (is|are) shown, \d+ of them late/).waitFor();
    await judge();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/orders/${body.id}`);
    await page.goBack();
    const marker = page.locator('.marker', { hasText: external_id });
    await marker.locator('text').dispatchEvent('click');
    await page.getByText(/orders? from Berlin/).waitFor();
    await own.waitFor();
    await judge();
    await page.getByRole('button', { name: 'Show all' }).click();
    await partner(stack).post(`/orders/${body.id}/cancel`, { reason: 'over' });
    await until(async () => (await marker.count()) + (await own.count()) === 0, {
      what: 'the end of the order',
    });
    await close();
  });

  test('has no link while no open order has coordinates', async () => {
    const { page, close } = await open(['support']);
    await page.route('**/ListOpenOrders', (route) =>
      route.fulfill({ contentType: 'application/json', body: '{}' }),
    );
    await goTo('/');
    await page.getByRole('heading', { name: 'Now' }).waitFor();
    expect(await page.getByRole('link', { name: 'Map' }).count()).toBe(0);
    await goTo('/map');
    await page.getByText('No open order has coordinates of both places.').waitFor();
    await judge();
    await close();
  });
});
