/** The portal's page of keys: a person rotates the organization's key and reads the new one once. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { openWatched } from './watched-page.ts';

const stack = sharedStack();
const scopes = ['orders:read', 'orders:write', 'webhooks:manage', 'keys:rotate'];

(hasChromium ? describe : describe.skip)('the keys in the portal', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const keyOf = async (name: string, more: object = {}) => {
    const organizationId = stack.file().organizations[0]!.id;
    const issued = await operatorClients(stack).access.issueKey({
      ...{ organizationId, name, scopes },
      ...more,
    });
    return { id: issued.key!.id, last4: issued.key!.last4, secret: issued.secret };
  };
  const open = async (secret: string, rights: object, locale = 'en-US') => {
    const { body } = await partner(stack, secret).post('/portal-links', rights);
    const opened = await openWatched(browser, { locale });
    const { page } = opened;
    await page.goto(body.url);
    await page.locator('main button').click();
    await page.locator('#content h1').waitFor();
    return { ...opened, go: (path: string) => page.goto(new URL(path, body.url).href) };
  };

  test('a person rotates the key of the link, reads the new one once, and the old one ends later', async () => {
    const key = await keyOf('Laboratory');
    const { page, context, judge, go } = await open(key.secret, { scopes });
    await page.keyboard.press('g');
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    const row = page.locator('tbody tr', { hasText: key.last4 });
    await row.getByRole('button', { name: 'Rotate' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Your session ends with it.').waitFor();
    expect(await dialog.locator('option').allInnerTexts()).toEqual([
      ...['24 hours', '7 days', '1 minute: it has leaked'],
    ]);
    await judge();
    // the answer is lost once: the same key comes with the second press
    let lost = 0;
    await page.route('**/rotate', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    await dialog.getByText('Press again: it is done once.').waitFor();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const shown = page.getByRole('dialog', { name: 'The new key' });
    const secret = await shown.locator('code').innerText();
    await judge();
    expect((await partner(stack, secret).get('/orders?limit=1')).status).toBe(200);
    expect((await partner(stack, key.secret).get('/ping')).status).toBe(200);
    await shown.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(secret);
    await row.getByText('replaced').waitFor();
    await page.locator('tbody tr', { hasText: secret.slice(-4) }).waitFor();
    await judge();
    await go('/nothing');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await page.locator('#content').getByRole('link', { name: 'Keys' }).click();
    await row.waitFor();
    await context.close();
  });

  test('a link that does not name the scope has no page of keys', async () => {
    const key = await keyOf('Ward');
    const { page, context, go } = await open(key.secret, {});
    await go('/keys');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    expect(await page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
    await context.close();
  });

  test('a reading session sees keys in German, and rotates none', async () => {
    const key = await keyOf('Pforte');
    const rights = { scopes, read_only: true };
    const { page, context, judge, go } = await open(key.secret, rights, 'de-DE');
    await go('/keys');
    await page.getByRole('heading', { name: 'Schlüssel' }).waitFor();
    const row = page.locator('tbody tr', { hasText: key.last4 });
    expect(await row.innerText()).toMatch(/Aufträge lesen.*\bnie\b/);
    expect(await page.getByRole('button', { name: 'Ersetzen' }).count()).toBe(0);
    await judge();
    await context.close();
  });

  test('an order is found by a part of its reference, in any case', async () => {
    const { page, context, go } = await open((await keyOf('Search')).secret, {});
    const reference = `LAB-${crypto.randomUUID()}`;
    const { body } = await partner(stack).post('/orders', orderBody({ external_id: reference }));
    await go('/orders');
    await page
      .getByPlaceholder('A part of your reference')
      .fill(reference.slice(6, 20).toUpperCase());
    await page.locator(`a[href="/orders/${body.id}"]`).waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.getByPlaceholder('A part of your reference').fill('no such part');
    await page.getByText('No order has this in its reference.').waitFor();
    await context.close();
  });

  test('the frame and the title name the product and the environment', async () => {
    const { page, context } = await open((await keyOf('Frame')).secret, {});
    const frame = page.getByRole('banner');
    await frame.getByText('Partner Transport Orders').waitFor();
    expect(await frame.getByText('sandbox', { exact: true }).isVisible()).toBe(true);
    expect(await page.title()).toBe('Orders – Sandbox Portal – Partner Transport Orders');
    await context.close();
  });
});
