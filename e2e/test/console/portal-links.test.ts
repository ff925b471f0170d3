/** Links to the portal on the page of an organization, as operators create and end them. */
import { describe, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { hasChromium } from '../../chromium.ts';
import { operatorClients } from '../../operator.ts';
import { partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the portal links of an organization', () => {
  const { open, goTo, judge } = consoleBrowser(stack);
  const organization = () => stack.file().organizations[0]!.id;

  test('an administrator creates a link that is shown once and opens the portal, and ends it', async () => {
    const { page, context, close } = await open(['admin']);
    await goTo(`/organizations/${organization()}`);
    const links = page.getByRole('region', { name: 'Portal links' });
    await links.getByRole('button', { name: 'Create a link' }).click();
    const dialog = page.getByRole('dialog');
    for (const scope of await dialog.getByRole('group').getByRole('checkbox').all())
      await scope.uncheck();
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('Choose at least one scope.').waitFor();
    await dialog.getByLabel('read orders').check();
    await dialog.getByLabel('Reading only').check();
    await judge();
    await dialog.getByRole('button', { name: 'Create' }).click();
    const url = await dialog.locator('code', { hasText: '#ptl_' }).innerText();
    const code = new URL(url).hash.slice(1);
    expect(code).toMatch(/^ptl_/);
    await dialog.getByRole('button', { name: /^Copy/ }).waitFor();
    await judge();
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(await page.content()).not.toContain(code);
    const stored = 'JSON.stringify([localStorage, sessionStorage, history.state, location.href])';
    expect(await page.evaluate<string>(stored)).not.toContain(code);
    const row = links.locator('tbody tr', { hasText: 'not opened; opens' }).first();
    expect(await row.innerText()).toContain('read orders, reading only');

    const portal = await context.newPage();
    await portal.goto(url);
    await portal.getByRole('button', { name: 'Open the portal' }).click();
    await portal.getByRole('heading', { name: 'Orders' }).waitFor();
    await page.reload();
    const opened = links.locator('tbody tr', { hasText: 'opened' }).first();
    await opened.getByRole('button', { name: 'End' }).click();
    await judge();
    await dialog.getByRole('button', { name: 'End' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await portal.getByText('You have no session here, or it has ended.').waitFor();
    await close();
  });

  test('a link of a key offers the rights of the key alone, and names it', async () => {
    const { page, close } = await open(['admin'], { viewport: { width: 390, height: 844 } });
    const { key } = await operatorClients(stack).access.issueKey({
      organizationId: organization(),
      scopes: ['orders:read'],
      name: 'Ward 7',
    });
    await goTo(`/organizations/${organization()}`);
    const links = page.getByRole('region', { name: 'Portal links' });
    await links.getByRole('button', { name: 'Create a link' }).click();
    const dialog = page.getByRole('dialog');
    const name = `Ward 7 …${key!.last4}`;
    await dialog.getByLabel('Key').selectOption(name);
    expect(await dialog.getByRole('group').getByRole('checkbox').count()).toBe(1);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('code', { hasText: '#ptl_' }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await links.locator('tbody tr', { hasText: name }).waitFor();
    await judge();
    await close();
  });

  test('other roles see links and neither create nor end them', async () => {
    expect((await partner(stack).post('/portal-links', {})).status).toBe(201);
    for (const role of ['support', 'dispatcher', 'auditor']) {
      const { page, close } = await open([role]);
      await goTo(`/organizations/${organization()}`);
      const links = page.getByRole('region', { name: 'Portal links' });
      await until(async () => (await links.locator('tbody tr').count()) > 0, { what: 'a link' });
      expect(await links.getByRole('button', { name: /^(End|Create)/ }).count()).toBe(0);
      await close();
    }
  });
});
