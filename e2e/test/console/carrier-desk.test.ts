/** The console as a carrier's dispatcher has it: the carrier's orders and drivers (decision 84). */
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)("the desk of a carrier's dispatcher", () => {
  const { openEmpty, judge } = consoleBrowser(stack);
  const run = async (...words: readonly string[]) => {
    const { code, json, stderr } = await operator(stack, ...words);
    expect([words, code, stderr]).toEqual([words, 0, '']);
    return json as Record<string, string>;
  };
  const aCarrier = async () => {
    const name = `Couriers ${randomUUID().slice(0, 8)}`;
    const { id } = await run('carrier', 'add', '--name', name);
    const external_id = `C-${randomUUID().slice(0, 8)}`;
    const pickup_window_start = new Date(Date.now() + 1_200_000).toISOString();
    const wanted = { ...orderBody(), external_id, pickup_window_start };
    const { body } = await partner(stack).post('/orders', wanted);
    await run('order', 'assign', body.id, '--carrier', id!);
    return { name, id: id!, orderId: body.id as string, external_id };
  };

  test('a link signs in; the carrier accepts, adds a driver, assigns, and links a phone', async () => {
    const [mine, other] = [await aCarrier(), await aCarrier()];
    const issued = await run(
      ...['token', 'issue', '--name', 'C. Dispatcher', '--role', 'carrier'],
      ...['--carrier', mine.name, '--expires-in', '8h'],
    );
    const { page, close } = await openEmpty();
    await page.goto(`${stack.file().consoleUrl}/#${issued.token}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(mine.external_id).first().waitFor();
    expect(page.url()).not.toContain('opt_');
    expect(await page.content()).not.toContain(other.external_id);
    const pages = await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').all();
    expect(await Promise.all(pages.map((one) => one.innerText()))).toHaveLength(2);
    await judge();

    await page.goto(`${stack.file().consoleUrl}/carriers`);
    await page.getByRole('heading', { name: mine.name }).waitFor();
    expect(await page.content()).not.toContain(other.name);
    await page.getByRole('button', { name: 'Add a driver' }).click();
    await page.getByLabel('Name').fill('Kim Own');
    await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click();
    await page.getByRole('link', { name: 'Kim Own' }).waitFor();
    await judge();

    await page.goto(`${stack.file().consoleUrl}/orders/${mine.orderId}`);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('button', { name: 'Assign driver' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('Kim Own');
    await page.getByRole('dialog').getByRole('button', { name: 'Assign driver' }).click();
    await page.getByText('Kim Own').first().waitFor();
    for (const forbidden of ['Cancel', 'Escalate', 'Close the order', 'Expected time'])
      expect(await page.getByRole('button', { name: forbidden }).count()).toBe(0);
    await judge();

    await page.goto(`${stack.file().consoleUrl}/carriers`);
    await page.getByRole('link', { name: 'Kim Own' }).click();
    await page.getByRole('button', { name: 'Create a link for a phone' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByRole('img', { name: 'QR code of the link' }).waitFor();
    const url = await page.locator('code', { hasText: '/driver#drl_' }).innerText();
    await judge();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    expect(url).toContain('#drl_');

    await page.goto(`${stack.file().consoleUrl}/orders/${other.orderId}`);
    await page.getByText('There is no such order.').waitFor();
    await page.goto(`${stack.file().consoleUrl}/audit`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await close();
  });
});
