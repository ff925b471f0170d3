/** What the console says while no answer comes, on pages that are not live, and how it goes on. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();
/** The page asks every 5 s whether the console answers. */
const noticedMaxMs = 20_000;

(hasChromium ? describe : describe.skip)('a page that is not live', () => {
  const console = consoleBrowser(stack);
  const issueToken = (name: string) =>
    operatorClients(stack).operators.issueToken({
      name,
      roles: ['support'],
      expiresInSeconds: 3600n,
    });

  test.each([
    ['the browser has no network', false],
    ['the console does not answer', true],
  ])(
    'says from when its data are while %s, and shows what is new afterwards without a reload',
    async (_name, hasNetwork) => {
      const { page, context, close } = await console.open(['admin', 'auditor']);
      await console.goTo('/operators');
      await page.getByRole('table', { name: 'Tokens' }).waitFor();
      const readBefore = Date.now();
      if (hasNetwork) await page.route(/\/(rpc|session)/, (route) => route.abort());
      else await context.setOffline(true);
      const alert = page.getByRole('alert');
      await alert.waitFor({ timeout: noticedMaxMs });
      const text = await alert.innerText();
      expect(text).toContain('No answer. The page tries again.');
      const [, at] = /Data of (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) UTC/.exec(text)!;
      expect(Date.parse(`${at}Z`)).toBeLessThanOrEqual(readBefore);
      expect(Date.parse(`${at}Z`)).toBeGreaterThan(readBefore - 60_000);
      await console.judge();
      const name = `T-${crypto.randomUUID()}`;
      await issueToken(name);
      if (hasNetwork) await page.unrouteAll({ behavior: 'ignoreErrors' });
      else await context.setOffline(false);
      await page.getByText(name).waitFor({ timeout: noticedMaxMs });
      await alert.waitFor({ state: 'detached' });
      await close();
    },
  );

  test('says nothing while every call is answered', async () => {
    const { page, close } = await console.open(['admin', 'auditor']);
    await console.goTo('/operators');
    await page.getByRole('table', { name: 'Tokens' }).waitFor();
    for (let n = 0; n < 2; n++)
      await page.waitForResponse((response) => response.url().endsWith('/session'));
    expect(await page.getByRole('alert').count()).toBe(0);
    await close();
  });
});
