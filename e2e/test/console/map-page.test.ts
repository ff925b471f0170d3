/** The map of open orders. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
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

  test('shows the circle of a driver under way for 15 min, and no address has the position', async () => {
    const { orders, carriers } = operatorClients(stack);
    const name = `Map ${crypto.randomUUID().slice(0, 8)}`;
    const carrierId = (await carriers.createCarrier({ name })).carrier!.id;
    const driverId = (await carriers.createDriver({ carrierId, name: 'Kim' })).driver!.id;
    const underWay = async () => {
      const { id } = (await partner(stack).post('/orders', orderBody())).body;
      const circumstances = { orderId: id };
      await orders.assignOrder({ circumstances, carrierId });
      await orders.acceptOrder({ circumstances });
      await orders.assignDriver({ circumstances, driverId });
      return { id: id as string, circumstances };
    };
    const [known, unknown, left] = [await underWay(), await underWay(), await underWay()];
    const { page, close } = await open(['dispatcher']);
    // between two minutes, so that no other part of the page draws it again
    const begin = new Date().setSeconds(30, 0);
    await page.clock.install({ time: begin });
    const urls: string[] = [];
    page.on('request', (one) => urls.push(one.url()));
    let isAvailable = true;
    // the shared stack has no Redis
    await page.route('**/ListPositions', async (route) => {
      const { orderIds } = route.request().postDataJSON();
      const at = new Date(begin).toISOString();
      const circle = { lat: 57.391, lng: 9.517, at };
      const circles = [
        { ...circle, orderId: known.id, driverId },
        { ...circle, orderId: left.id, driverId: carrierId },
      ].filter(({ orderId }) => orderIds.includes(orderId));
      await (isAvailable ? route.fulfill({ json: { circles } }) : route.abort());
    });
    await goTo('/map');
    const row = ({ id }: { id: string }) =>
      page.locator('li', { has: page.locator(`a[href="/orders/${id}"]`) });
    await row(known)
      .getByText(/position (just now|\d+ s ago)/)
      .waitFor();
    for (const one of [unknown, left]) await row(one).getByText('position unknown').waitFor();
    expect(await page.locator('circle.position').count()).toBe(1);
    await page.getByText('a driver, within 1 km of the middle').waitFor();
    await judge();
    isAvailable = false;
    await page.clock.pauseAt(begin + 14 * 60_000 + 40_000);
    await row(known).getByText('position 14 min ago').waitFor();
    await page.clock.fastForward('00:15');
    expect(await page.locator('circle.position').count()).toBe(1);
    await page.clock.fastForward('00:06');
    await row(known).getByText('position unknown').waitFor();
    expect(await page.locator('circle.position').count()).toBe(0);
    expect(urls.filter((url) => /ListPositions/.test(url)).length).toBeGreaterThan(1);
    expect(urls.filter((url) => /57\.3|9\.51/.test(url))).toEqual([]);
    for (const { circumstances } of [known, unknown, left])
      await orders.cancelOrder({ circumstances, reason: 'over' });
    await close();
  });

  test('reads no position for an operator who may not see it', async () => {
    const { page, close } = await open(['auditor']);
    const read: string[] = [];
    page.on('request', (one) => one.url().includes('ListPositions') && read.push(one.url()));
    await goTo('/map');
    await page.getByText(/\d+ open orders? (is|are) shown|No open order has/).waitFor();
    expect([read, await page.getByText(/, position /).count()]).toEqual([[], 0]);
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
