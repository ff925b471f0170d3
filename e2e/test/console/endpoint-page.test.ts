/** The page of an endpoint: what an operator sees of its deliveries, and does about failed ones. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Page } from 'playwright-core';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { isSigned, startReceiver } from '../../receiver.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the page of an endpoint', () => {
  const { open, goTo, judge } = consoleBrowser(stack);

  const answer = async (page: Page, button: string, verb: string) => {
    const found = page.getByRole('button', { name: button, exact: true }).first();
    if (!(await found.isVisible())) await page.locator('summary', { hasText: 'More' }).click();
    await found.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading').waitFor();
    await judge();
    await dialog.getByRole('button', { name: verb, exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
  };

  test('failed and missed events are queued again by one button, each once', async () => {
    const receiver = await startReceiver(stack);
    const id = (await receiver.subscribe()).body.id as string;
    const { deliveries } = operatorClients(stack);
    const states = async () => {
      const listed = await deliveries.listDeliveries({ endpointId: id });
      return listed.deliveries.map(({ state }) => state).sort();
    };
    const create = () => partner(stack).post('/orders', orderBody());
    const { page, close } = await open(['dispatcher']);
    receiver.state.status = 500;
    await create();
    await until(() => receiver.received.length > 0, { what: 'the failed attempt' });
    await goTo(`/endpoints/${id}`);
    await answer(page, 'Disable', 'Disable');
    await page.getByText('Disabled.').waitFor();
    await until(async () => (await states()).join() === 'EXHAUSTED', { what: 'the failure' });
    await create(); // missed
    await answer(page, 'Enable', 'Enable');
    receiver.state.status = 204;
    await answer(page, 'Replay all failed', 'Recover');
    await page.getByText('2 events queued.').waitFor();
    await until(async () => (await states()).join() === 'DELIVERED,DELIVERED,EXHAUSTED', {
      what: 'both events',
    });
    await answer(page, 'Replay all failed', 'Recover');
    await page.getByText('0 events queued.').waitFor();
    await judge();
    await close();
    await receiver.stop();
  });

  test('a delivery shows what was sent, and is replayed as a new one', async () => {
    const receiver = await startReceiver(stack);
    const id = (await receiver.subscribe()).body.id as string;
    const { page, close } = await open(['dispatcher'], { viewport: { width: 390, height: 844 } });
    const external_id = `REF-${crypto.randomUUID()}`;
    const order = (await partner(stack).post('/orders', orderBody({ external_id }))).body
      .id as string;
    await until(() => receiver.received.length === 1, { what: 'the delivery' });
    await goTo(`/endpoints/${id}`);
    const rows = page.getByRole('region', { name: 'Deliveries' });
    const row = rows.locator('tbody tr').first();
    await row.getByRole('link', { name: external_id }).waitFor();
    await row.getByText('delivered', { exact: true }).waitFor();
    await row.getByRole('button', { name: 'Details' }).click();
    await rows.locator('summary', { hasText: '204' }).click();
    await judge();
    await page.getByRole('button', { name: 'What was sent' }).click();
    await page.getByRole('dialog').getByText(order).waitFor();
    await judge();
    await page.getByRole('button', { name: 'Close' }).click();
    // its answer is lost, and the person presses again
    let lost = 0;
    await page.route('**/ReplayDelivery', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      return route.abort();
    });
    await page.getByRole('button', { name: 'Replay', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.getByText('Press again: it is done once.').waitFor();
    await judge();
    await dialog.getByRole('button', { name: 'Replay' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await until(() => receiver.received.length === 2, { what: 'the replay' });
    await answer(page, 'Test', 'Test');
    await page.getByText('Delivered: 204.').waitFor();
    const events = receiver.received.map(({ event }) => event);
    expect(events).toEqual(['order.submitted', 'order.submitted', 'order.test']);
    await answer(page, 'Recover', 'Recover');
    await page.getByText('0 events queued.').waitFor();
    await close();
    await receiver.stop();
  });

  test('an administrator rotates the secret, which is shown once and signs with the one before', async () => {
    const receiver = await startReceiver(stack);
    const { id, secret: before } = (await receiver.subscribe()).body;
    const { page, close } = await open(['admin', 'support']);
    await goTo(`/endpoints/${id}`);
    await page.locator('summary', { hasText: 'More' }).click();
    await page.getByRole('button', { name: 'Rotate the secret' }).click();
    const dialog = page.getByRole('dialog');
    await judge();
    await dialog.getByRole('button', { name: 'Rotate' }).click();
    const secret = await dialog.locator('code').innerText();
    expect(secret).toMatch(/^whsec_/);
    await judge();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain('whsec_');
    expect(await page.evaluate<number>('localStorage.length + sessionStorage.length')).toBe(0);
    await answer(page, 'Test', 'Test');
    await until(() => receiver.received.length === 1, { what: 'the test request' });
    for (const key of [secret, before])
      expect(await isSigned(receiver.received[0]!, [key])).toBe(true);
    const { audit } = operatorClients(stack);
    const { actions } = await audit.listActions({ target: id, action: 'RotateEndpointSecret' });
    expect(actions).toMatchObject([{ operatorName: 'A Dispatcher', outcome: 'ok' }]);
    expect(
      JSON.stringify(actions, (_, one) => (typeof one === 'bigint' ? `${one}` : one)),
    ).not.toContain('whsec_');
    await close();
    await receiver.stop();
  });

  test('pages and filters are in the address, and the way back leads through them', async () => {
    const receiver = await startReceiver(stack);
    const id = (await receiver.subscribe()).body.id as string;
    await Promise.all(
      Array.from({ length: 51 }, () => partner(stack).post('/orders', orderBody())),
    );
    await until(() => new Set(receiver.received.map((one) => one.delivery)).size === 51, {
      what: 'all deliveries',
    });
    const { page, close } = await open(['support']);
    const ofDeliveries = page.getByRole('region', { name: 'Deliveries' }).locator('tbody tr');
    const count = (rows: number) =>
      until(async () => (await ofDeliveries.count()) === rows, {
        what: `${rows} rows`,
      });
    await goTo(`/endpoints/${id}`);
    await count(50);
    await page.getByLabel('State').selectOption('DELIVERED');
    await page.getByRole('button', { name: 'Older' }).click();
    await count(1);
    expect(new URL(page.url()).searchParams.get('state')).toBe('DELIVERED');
    await page.reload();
    await count(1);
    await page.goBack();
    await count(50);
    expect(new URL(page.url()).searchParams.has('after')).toBe(false);
    await page.getByLabel('State').selectOption('EXHAUSTED');
    await page.getByText('None is here.').waitFor();
    await page.goBack();
    await count(50);
    await page.getByLabel('Event').selectOption('order.sealed');
    await page.getByText('None is here.').waitFor();
    await close();
    await receiver.stop();
  });

  test('a role sees no button whose call it may not make', async () => {
    const receiver = await startReceiver(stack);
    const id = (await receiver.subscribe()).body.id as string;
    for (const [role, buttons] of [
      ['support', ['Test', 'Verify']],
      ['dispatcher', ['Test', 'Verify', 'Disable', 'Recover']],
      ['admin', ['Disable', 'Rotate the secret']],
    ] as const) {
      const { page, close } = await open([role]);
      await goTo(`/endpoints/${id}`);
      await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
      await page.locator('summary', { hasText: 'More' }).click();
      const shown = page.locator('#content').getByRole('button');
      const names = (await shown.allInnerTexts()).filter((name) => name !== 'Copy');
      expect(names.sort()).toEqual([...buttons].sort());
      await close();
    }
    await receiver.stop();
  });
});
