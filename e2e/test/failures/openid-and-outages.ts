/** Sign-in to the console at an OpenID provider, and what a person sees while a process is unavailable. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import type { Browser } from 'playwright-core';
import { newKey, startProvider } from '../../../services/operators/test/openid-provider.ts';
import { hasChromium, launchChromium } from '../../chromium.ts';
import { signalAll } from '../../kill.ts';
import { type LocalStack, settled } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';

/** @param port of the provider that the stack's settings name. */
export const openidAndOutages = (stack: LocalStack, port: number): void => {
  let provider: Awaited<ReturnType<typeof startProvider>>;
  beforeAll(async () => {
    const callback = `${stack.file().consoleUrl}/session/openid/callback`;
    provider = await startProvider(port, await newKey('key 1'), () => 300, [callback]);
  });
  afterAll(() => provider?.stop());

  const at = (path: string, headers: Record<string, string> = {}) =>
    fetch(stack.file().consoleUrl + path, { redirect: 'manual', headers });
  const begin = async () => {
    const response = await at('/session/openid');
    const [cookie] = response.headers.getSetCookie();
    return { response, cookie: cookie!, url: new URL(response.headers.get('location')!) };
  };

  test('a sign-in begins with PKCE, a state and a nonce, in a cookie of ten minutes', async () => {
    const { response, cookie, url } = await begin();
    expect(response.status).toBe(303);
    expect(cookie).toMatch(
      /^__Host-openid=\S+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=600$/,
    );
    const { code_challenge_method, state, nonce, scope } = Object.fromEntries(url.searchParams);
    expect([code_challenge_method, scope]).toEqual(['S256', 'openid profile email']);
    expect([state, nonce].every((text) => text!.length > 20)).toBe(true);
  });

  test.each([
    ['of another browser', async () => ''],
    ['with another state', async () => (await begin()).cookie.split(';')[0]!],
  ])('a redirect %s starts no session', async (_name, cookieOf) => {
    const state = (await begin()).url.searchParams.get('state');
    const response = await at(`/session/openid/callback?code=stolen&state=${state}`, {
      cookie: await cookieOf(),
    });
    expect(response.headers.get('location')).toBe('/?sign-in=failed');
    expect(response.headers.getSetCookie().join()).not.toContain('__Host-session');
  });

  (hasChromium ? describe : describe.skip)('in a browser', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await launchChromium();
    });
    afterAll(async () => {
      await browser?.close();
    });

    const signInAs = async (login: string) => {
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(stack.file().consoleUrl);
      await page.getByRole('link', { name: 'Sign in' }).click();
      await page.locator('input[name=login]').fill(login);
      await page.locator('input[name=password]').fill('any');
      await page.locator('button[type=submit]').click();
      const confirm = page.getByRole('button', { name: 'Continue' });
      const after = page.locator('h1', { hasText: /^(Now|Console)$/ });
      await until(async () => (await confirm.or(after).count()) > 0, { what: 'the next page' });
      if ((await confirm.count()) > 0) await confirm.click();
      await after.waitFor();
      return { context, page };
    };

    test('a person signs in with the roles of its groups', async () => {
      const { context, page } = await signInAs('ada');
      await page.getByRole('heading', { name: 'Now' }).waitFor();
      expect(await page.locator('.who span').getAttribute('title')).toBe('support, admin');
      const cookies = await context.cookies();
      expect(cookies.map(({ name }) => name)).toContain('__Host-session');
      expect(cookies.map(({ name }) => name)).not.toContain('__Host-openid');
      await context.close();
    });

    test('a person without a role reads why, and has no session', async () => {
      const { context, page } = await signInAs('mallory');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').innerText()).toContain('none of your groups has a role');
      expect((await context.cookies()).map(({ name }) => name)).not.toContain('__Host-session');
      await context.close();
    });

    test('an administrator blocks a person, whose next request is rejected', async () => {
      const grace = await signInAs('grace');
      await grace.page.getByRole('heading', { name: 'Now' }).waitFor();
      const ada = await signInAs('ada');
      await ada.page.getByRole('heading', { name: 'Now' }).waitFor();
      await ada.page.goto(`${stack.file().consoleUrl}/operators`);
      const row = (name: RegExp) =>
        ada.page.getByRole('table', { name: 'People' }).locator('tbody tr', { hasText: name });
      const own = row(/ada/i);
      await own.waitFor();
      expect(await own.getByRole('button').count()).toBe(0);
      await row(/grace/i).getByRole('button', { name: 'Block' }).click();
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
      await grace.page.getByLabel('Personal token').waitFor();
      await row(/grace/i).getByRole('button', { name: 'Unblock' }).click();
      await ada.page.getByRole('dialog').getByRole('button', { name: 'Unblock' }).click();
      await row(/grace/i).getByRole('button', { name: 'Block' }).waitFor();
      await grace.context.close();
      await ada.context.close();
    });

    test('a portal page keeps what it shows while the gateway is killed, and goes on without a reload', async () => {
      const external_id = `K-${crypto.randomUUID()}`;
      const id = (await partner(stack).post('/orders', orderBody({ external_id }))).body.id;
      const { url } = (await partner(stack).post('/portal-links', {})).body;
      const context = await browser.newContext();
      const page = await context.newPage();
      await page.goto(url);
      await page.getByRole('button', { name: 'Open the portal' }).click();
      await page.getByRole('link', { name: external_id }).click();
      await page.getByText('Recomputed in this browser: 1 entry fits together.').waitFor();
      await page.getByText('Nothing was sent for this order').waitFor();
      await page.evaluate(`
      window.shown = [];
      new MutationObserver(() => window.shown.push(document.body.innerText))
        .observe(document.body, { childList: true, characterData: true, subtree: true })`);
      const alert = page.getByRole('alert').first();
      await until(
        async () => {
          signalAll(stack, 'gateway', 'SIGKILL'); // the launcher starts it again
          return alert.isVisible();
        },
        { deadlineMs: 60_000, what: 'the page to say that no answer comes' },
      );
      expect(await alert.innerText()).toContain('The page tries again.');
      await settled(stack);
      await page.getByRole('alert').first().waitFor({ state: 'detached', timeout: 60_000 });
      const shown = await page.evaluate<string[]>('window.shown');
      const kept = [external_id, 'The sender: Charitéplatz 1, Berlin', '1 entry fits together'];
      const wrong = shown.filter((text) => !kept.every((part) => text.includes(part)));
      expect(wrong).toEqual([]);
      // live again, without a reload
      await partner(stack).post(`/orders/${id}/cancel`, { reason: 'not needed' });
      await page.getByText('the order was cancelled before custody began').waitFor();
      await page.getByText('Recomputed in this browser: 2 entries fit together.').waitFor();
      expect(await page.evaluate<number>('window.shown.length')).toBeGreaterThan(shown.length);
      await context.close();
    });

    test.each(['console', 'orders'])(
      'a page says that no answer comes while %s is unavailable, and goes on when it is back',
      async (name) => {
        const { context, page } = await signInAs('ada');
        await page.goto(`${stack.file().consoleUrl}/orders`);
        await page.getByRole('searchbox', { name: 'Search orders' }).waitFor();
        await page.getByText('No order is open.').waitFor();
        signalAll(stack, name, 'SIGSTOP');
        try {
          // a stopped process answers nothing: the call ends at its deadline
          await page.getByRole('alert').waitFor({ timeout: 60_000 });
        } finally {
          signalAll(stack, name, 'SIGCONT');
        }
        await page.getByRole('alert').waitFor({ state: 'detached' });
        await page.getByText('No order is open.').waitFor();
        await context.close();
      },
    );
  });
};
