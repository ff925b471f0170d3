/** What a partner does with endpoints from a link alone, in Chromium. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { sharedStack } from '../test-stack.ts';
import { openWatched } from './watched-page.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('endpoints in the portal', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const open = async (rights: object = {}, options: BrowserContextOptions = {}) => {
    const opened = await openWatched(browser, options);
    await opened.page.goto((await partner(stack).post('/portal-links', rights)).body.url);
    await opened.page.locator('main button').click();
    await opened.page.locator('#content h1').waitFor();
    return { ...opened, origin: new URL(opened.page.url()).origin };
  };

  test('from the link to the deletion: added, repaired, verified, filtered, tried, understood', async () => {
    const receiver = await startReceiver(stack);
    const { state, received } = receiver;
    const { page, context, judge, origin } = await open();
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const dialog = page.getByRole('dialog');
    await page.goto(`${origin}/endpoints`);

    // added; the answer is lost once, and the secret is not
    state.nonce = '<html>not the nonce</html>';
    await button('Add an endpoint').click();
    await dialog.getByLabel('URL').fill(receiver.url);
    await judge();
    let lost = 0;
    await page.route('**/api/webhooks', async (route) => {
      if (route.request().method() !== 'POST' || lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Press again: it is done once.').waitFor();
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText(/Nobody can show it again/).waitFor();
    await judge();
    state.secret = await dialog.locator('code').innerText();
    expect(state.secret).toMatch(/^whsec_/);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const mine = (await partner(stack).get('/webhooks')).body.filter(
      ({ url }: { url: string }) => url === receiver.url,
    );
    expect(mine).toHaveLength(1);

    // the handshake failed, for a reason; the receiver is repaired
    const handshake = page.getByRole('region', { name: 'Handshake' });
    await handshake.getByText('return exactly the value of the parameter verification').waitFor();
    expect(await handshake.locator('li').allInnerTexts()).toEqual([
      'The address is accepted, and it connects: yes',
      'The certificate is trusted: yes',
      'The request is sent, and the response is 2xx: yes (200)',
      'The response is the nonce: no',
    ]);
    await judge();
    state.nonce = undefined;
    await handshake.getByRole('button', { name: 'Try again' }).click();
    await handshake.getByText('The handshake passed.').waitFor();
    await page.getByText('enabled', { exact: true }).waitFor();

    // the filter
    const more = page.locator('summary', { hasText: 'More' });
    await more.click();
    await button('Change').click();
    await dialog.getByRole('checkbox', { name: /^All events/ }).uncheck();
    await dialog.getByRole('checkbox', { name: /^order\.submitted/ }).check();
    await dialog.getByText('Example of order.submitted').click();
    await judge();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed.').waitFor();
    const [{ id }] = mine;
    const endpoint = async () => (await partner(stack).get(`/webhooks/${id}`)).body;
    expect(await endpoint()).toMatchObject({ event_filter: ['order.submitted'] });

    // an example, as it is shown
    await button('Send an example').click();
    await dialog.getByLabel('Event').selectOption('order.sealed');
    await dialog.getByRole('button', { name: 'Send this example' }).click();
    await dialog.getByText(/^Delivered: 204/).waitFor();
    const [example] = received;
    expect(await example!.signed).toBe(true);
    expect(example).toMatchObject({ event: 'order.sealed', body: { data: { test: true } } });
    const shown = JSON.parse(await dialog.locator('pre').first().innerText());
    expect(Object.keys(example!.body.data)).toEqual(Object.keys(shown.data));
    state.status = 401;
    state.body = 'no_signature_matches';
    await dialog.getByRole('button', { name: 'Send this example' }).click();
    await dialog.getByText('give it the secret of this endpoint').waitFor();
    await judge();
    await button('Close').click();
    expect(await endpoint()).toMatchObject({ consecutive_failures: 0 });

    // a failing attempt
    state.body = 'stale';
    await partner(stack).post('/orders', orderBody());
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await deliveries.getByRole('button', { name: 'Details' }).click();
    await deliveries.locator('summary', { hasText: '401' }).click();
    await deliveries.getByText('its clock is wrong by more than 5 minutes').waitFor();
    await deliveries.locator('pre', { hasText: 'stale' }).waitFor();
    await page.reload();
    const today = page.getByRole('region', { name: 'The last 7 days' }).locator('tbody tr').first();
    await until(async () => (await today.locator('td').nth(4).innerText()) === '1', {
      what: 'the pending delivery among the metrics',
    });
    const week = page.getByRole('region', { name: 'The last 7 days' }).locator('tbody tr');
    expect(await week.count()).toBe(7);
    await judge();
    await page.getByRole('link', { name: 'Endpoints' }).click();
    const listed = page.locator('tr', { hasText: receiver.url });
    await listed.getByText('401', { exact: true }).waitFor();
    await listed.getByText('stale').waitFor();
    await listed.getByRole('link').click();
    await more.waitFor();

    await more.click();
    await button('Delete').click();
    await dialog.getByText('stay visible on their orders').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
    await page.getByText(receiver.url).waitFor({ state: 'detached' });
    expect((await partner(stack).get(`/webhooks/${id}`)).status).toBe(404);
    await context.close();
    await receiver.stop();
  });

  test('a link that may not change, or has one endpoint, shows no button that is refused', async () => {
    const receiver = await startReceiver(stack);
    const { id } = (await receiver.subscribe()).body;
    const all = ['Test', 'Verify', 'Disable', 'Change', 'Send an example', 'Recover'];
    for (const [rights, adds, buttons] of [
      [{ read_only: true }, 0, []],
      [{ endpoint_id: id, read_only: true }, 0, []],
      [{ endpoint_id: id }, 0, [...all, 'Rotate the secret']],
      [{}, 1, [...all, 'Rotate the secret', 'Delete']],
    ] as const) {
      const { page, context, origin } = await open(rights);
      await page.goto(`${origin}/endpoints`);
      await page.getByRole('heading', { name: 'Endpoints' }).waitFor();
      expect(await page.getByRole('button', { name: 'Add an endpoint' }).count()).toBe(adds);
      await page.goto(`${origin}/endpoints/${id}`);
      await page.getByRole('heading', { name: 'The last 7 days' }).waitFor();
      if (buttons.length > 0) await page.locator('summary', { hasText: 'More' }).click();
      const shown = page.locator('#content').getByRole('button');
      const names = (await shown.allInnerTexts()).filter((name) => name !== 'Copy');
      expect(names.sort()).toEqual([...buttons].sort());
      await context.close();
    }
    await receiver.stop();
  });

  test('is in German in a German browser', async () => {
    const receiver = await startReceiver(stack);
    const { id } = (await receiver.subscribe()).body;
    const { page, context, judge, origin } = await open({}, { locale: 'de-DE' });
    await page.goto(`${origin}/endpoints/${id}`);
    for (const name of ['Die letzten 7 Tage', 'Zustellungen'])
      await page.getByRole('heading', { name }).waitFor();
    await page.getByRole('button', { name: 'Beispiel senden' }).click();
    await page.getByRole('button', { name: 'Dieses Beispiel senden' }).click();
    await page.getByText(/^Zugestellt: 204/).waitFor();
    await judge();
    await context.close();
    await partner(stack).call('DELETE', `/webhooks/${id}`);
    await receiver.stop();
  });
});
