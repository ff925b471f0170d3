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

  test('shows an open order with a sign and in a list, and opens it by mouse and by keyboard', async () => {
    const external_id = `MAP-${crypto.randomUUID()}`;
    const { body } = await partner(stack).post('/orders', orderBody({ external_id }));
    const { page, close } = await open(['support']);
    await goTo('/');
    await page.getByRole('link', { name: 'Map' }).click();
    const link = page.locator('li', { hasText: external_id }).getByRole('link');
    await link.waitFor();
    expect(await page.title()).toMatch(/^Map – Sandbox Console/);
    expect(await page.locator('li', { hasText: external_id }).innerText()).toContain('Waiting');
    await judge();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/orders/${body.id}`);
    await page.goBack();
    const sign = page.locator('g', { hasText: external_id });
    await sign.locator('text').dispatchEvent('click');
    await page.waitForURL(`**/orders/${body.id}`);
    await partner(stack).post(`/orders/${body.id}/cancel`, { reason: 'over' });
    await page.goBack();
    await until(async () => (await sign.count()) === 0, { what: 'the end of the order' });
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
