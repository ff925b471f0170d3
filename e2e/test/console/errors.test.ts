/** What the console says of an error, and what to do next. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

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
});
