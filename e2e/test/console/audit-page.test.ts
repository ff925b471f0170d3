/** The page of the audit log: the rows of a key, and changes without the reads around them. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { operator, operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('the audit log', () => {
  const { open, goTo, judge } = consoleBrowser(stack);

  test("a key's link shows who issued it, and what was done with it", async () => {
    const organizationId = stack.file().organizations[1]!.id;
    const name = `Ward ${crypto.randomUUID().slice(0, 8)}`;
    const { access } = operatorClients(stack);
    const { key } = await access.issueKey({ organizationId, scopes: ['orders:read'], name });
    const { page, close } = await open(['auditor'], { viewport: { width: 390, height: 844 } });
    await goTo(`/organizations/${organizationId}`);
    await page.getByRole('link', { name }).click();
    const rows = page.getByRole('table', { name: 'Actions' }).locator('tbody tr');
    const { name: organization } = stack.file().organizations[1]!;
    await rows.getByText(`issued a key to ${organization}`).waitFor();
    await rows.getByRole('link', { name: organization }).waitFor();
    expect(await rows.count()).toBe(1);
    await rows.getByRole('button', { name: 'Details' }).click();
    await rows.getByRole('button', { name: `Copy ${key!.id}` }).waitFor();
    await rows.getByText('access.v1.AccessService/IssueKey').waitFor();
    await judge();
    await close();
  });

  test('says in words what was done to an order and what was not, by day and by kind', async () => {
    const external_id = `AUDIT-${crypto.randomUUID()}`;
    const orderId = (await partner(stack).post('/orders', orderBody({ external_id }))).body.id;
    const { orders } = operatorClients(stack);
    const circumstances = { orderId };
    await orders.assignOrder({ circumstances, transportOrganization: 'Fast' });
    await orders.closeOrder({ circumstances }).catch(() => undefined);
    const { page, close } = await open(['auditor']);
    await goTo(`/audit?target=${orderId}`);
    const rows = page.getByRole('table', { name: 'Actions' }).locator('tbody tr');
    await rows.getByText(`assigned order ${external_id} to a carrier`).waitFor();
    const refused = rows.filter({ hasText: `closed order ${external_id}` });
    await refused.getByText('not done: illegal transition').waitFor();
    await page.getByLabel('Action').selectOption('AssignOrder');
    await refused.waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(1);
    const [today] = new Date().toISOString().split('T');
    await page.getByLabel('From', { exact: true }).fill(today!);
    await page.getByLabel('To', { exact: true }).fill(today!);
    await rows.getByText(external_id).waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe(today);
    await page.getByLabel('To', { exact: true }).fill('2026-01-01');
    await page.getByText('No call matches.').waitFor();
    await judge();
    await close();
  });

  test('the page opens with changes, and has every call, and the command line has both', async () => {
    const { page, close } = await open(['auditor']);
    await goTo('/audit?operator=A%20Dispatcher&show=all');
    const rows = page.getByRole('table', { name: 'Actions' }).locator('tbody tr');
    await rows.getByText('read: who am i').first().waitFor();
    await page.getByLabel('Calls').selectOption('');
    await rows.getByText('signed in').first().waitFor();
    await rows.getByText('read: who am i').first().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?operator=A+Dispatcher');
    await judge();
    await close();
    const { json } = await operator(stack, 'audit', 'list', '--changes-only', '--limit', '0');
    const names = (json as { action: string }[]).map(({ action }) => action);
    expect(names).toContain('operators.v1.OperatorService/StartSession');
    expect(names.filter((one) => /\/(List|Show|Get|WhoAmI|Find|Search)/.test(one))).toEqual([]);
  });
});
