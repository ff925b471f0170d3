/** The page of the audit log: the rows of a key, and changes without the reads around them. */
import { describe, expect, test } from '@jest/globals';
import { hasChromium } from '../../chromium.ts';
import { operator, operatorClients } from '../../operator.ts';
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
    await rows.getByText('IssueKey').waitFor();
    await rows.getByText(`created ${key!.id}`).waitFor();
    expect(await rows.count()).toBe(1);
    await judge();
    await close();
  });

  test('the page opens with changes, and has every call, and the command line has both', async () => {
    const { page, close } = await open(['auditor']);
    await goTo('/audit?operator=A%20Dispatcher&show=all');
    const rows = page.getByRole('table', { name: 'Actions' }).locator('tbody tr');
    await rows.getByText('WhoAmI').first().waitFor();
    await page.getByLabel('Calls').selectOption('');
    await rows.getByText('StartSession').first().waitFor();
    await rows.getByText('WhoAmI').first().waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?operator=A+Dispatcher');
    await judge();
    await close();
    const { json } = await operator(stack, 'audit', 'list', '--changes-only', '--limit', '0');
    const names = (json as { action: string }[]).map(({ action }) => action);
    expect(names).toContain('operators.v1.OperatorService/StartSession');
    expect(names.filter((one) => /\/(List|Show|Get|WhoAmI|Find|Search)/.test(one))).toEqual([]);
  });
});
