/** What the console says of an error, and what to do next. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';
import { portalPage } from './portal-page.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('a page', () => {
  const console = consoleBrowser(stack);

  test('names the request id of a call that failed in a service, and tries again', async () => {
    const { page, close } = await console.open(['admin']);
    let id = '';
    await page.route('**/ListTokens', async (route) => {
      id = (await route.request().headerValue('x-request-id')) ?? '';
      await route.fulfill({ status: 500, json: { code: 'internal', message: 'It failed.' } });
    });
    await console.goTo('/operators');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(id).not.toBe('');
    expect(await alert.innerText()).toContain(id);
    await console.judge();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('table', { name: 'Tokens' }).waitFor();
    expect(await alert.count()).toBe(0);
    await close();
  });

  test('says that an order does not exist, with nothing to quote or to try again', async () => {
    const { page, close } = await console.open(['support']);
    await console.goTo(`/orders/${crypto.randomUUID()}`);
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('There is no such order.');
    expect(await alert.innerText()).not.toContain('request id');
    expect(await alert.getByRole('button').count()).toBe(0);
    await close();
  });

  test('shows a tampered chain, whatever its times and payloads are', async () => {
    const id = (await partner(stack).post('/orders', orderBody())).body.id;
    const { page, context, close } = await console.open(['support']);
    const types = ['HANDOVER_RECORDED', 'SEAL_MISMATCH', 'CONDITION_RECORDED'];
    const payloads = ['{}', 'null', '[7]', '"x"', '{"stage":{},"custody":{},"unit":7}', '{'];
    const variants = types.flatMap((type) => payloads.map((payload) => ({ type, payload })));
    const tampered = variants.map(({ type, payload }, n) => {
      const of = { id: `${n}`, at: 'no time', type, payload };
      return { ...of, json: payload === '{' ? payload : JSON.parse(payload) };
    });
    const alert = 'Entry 2 does not fit';
    await context.route('**/ExportChain', async (route) => {
      const chain = await (await route.fetch()).json();
      const more = tampered.map(({ id, at: tsUtc, type: internalType, payload: payloadJson }) => ({
        entry: { ...chain.entries[0].entry, id, tsUtc, internalType, payloadJson },
      }));
      await route.fulfill({ json: { ...chain, entries: [chain.entries[0], ...more] } });
    });
    await context.route('**/api/orders/*/events', async (route) => {
      const [first] = await (await route.fetch()).json();
      const more = tampered.map(({ id, at, type, json }) => ({
        ...{ ...first, id, ts_utc: at, internal_type: type, payload: json },
      }));
      await route.fulfill({ json: [first, ...more] });
    });
    await console.goTo(`/orders/${id}`);
    const portal = await portalPage(stack, context, `/orders/${id}`);
    for (const one of [page, portal]) {
      await one.getByText(alert).waitFor();
      const entries = one.locator('.chain > li');
      expect(await entries.count()).toBe(1 + tampered.length);
      expect(await entries.last().innerText()).toContain('no time');
      expect(await entries.nth(1).innerText()).toContain('The payload lacks what');
      expect(await one.locator('.chain').innerText()).not.toMatch(/NaN|within the limits/);
    }
    await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  });

  test('that cannot be drawn says what to do, and what to report', async () => {
    const { page, close } = await console.open(['support']);
    let id = '';
    await page.route('**/ShowOrder', async (route) => {
      id = (await route.request().headerValue('x-request-id')) ?? '';
      await route.fulfill({ json: {} });
    });
    await console.goTo(`/orders/${crypto.randomUUID()}`);
    const alert = page.getByRole('alert');
    await alert.getByText('This page cannot be shown').waitFor();
    expect(id).not.toBe('');
    expect(await alert.innerText()).toContain(id);
    await console.judge();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await alert.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('There is no such order.').waitFor();
    await close();
  });
});
