/** The pages of the ledger and of the operators: what auditors and administrators see and do. */
import { describe, expect, test } from '@jest/globals';
import { measurements } from '@pto/proto/measurements';
import { until } from '@pto/testing';
import { asSuperuser } from '../../as-superuser.ts';
import { hasChromium } from '../../chromium.ts';
import { startConsoleSession } from '../../console-sign-in.ts';
import { signalAll } from '../../kill.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operator } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { consoleBrowser } from '../console/console-browser.ts';

export const ledgerAndOperators = (stack: LocalStack): void => {
  const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;

  (hasChromium ? describe : describe.skip)('in the console', () => {
    const { open, goTo, judge } = consoleBrowser(stack);

    test('the newest checkpoint covers a new entry, live', async () => {
      await partner(stack).post('/orders', orderBody());
      const { page, close } = await open(['support']);
      await goTo('/ledger');
      const table = page.getByRole('table', { name: 'Checkpoints' });
      const newest = async () => Number(await table.locator('tbody td').first().innerText());
      const sound = /^Sound: \d+ (entry|entries), .+ anchored, verified \d+/;
      await page.getByText(sound).waitFor();
      await page.getByText('Checkpoints are signed.').click();
      await table.waitFor();
      const before = await newest();
      await partner(stack).post('/orders', orderBody());
      await until(async () => (await newest()) > before, { what: 'a new checkpoint' });
      await page.getByText('No witness is configured').waitFor();
      const { json } = await operator(stack, 'ledger', 'log');
      const {
        checkpoints,
        anchored_size: anchored,
        halted,
      } = json as { [name: string]: unknown; checkpoints: unknown[] };
      expect(checkpoints[0]).toMatchObject({ anchored: expect.any(Boolean), witnesses: [] });
      expect([Number(anchored) > before, halted]).toEqual([true, null]);
      await judge();
      await close();
    });

    test('the status page has the verdict of the command line, with link and runbook', async () => {
      const exitCode = async () => (await operator(stack, 'status')).code;
      const { page, close } = await open(['support']);
      await goTo('/status');
      await page.getByText('Everything works.').waitFor();
      expect(await exitCode()).toBe(0);
      await judge();
      const query = (text: string) => asSuperuser(stack, 'orders', (client) => client.query(text));
      signalAll(stack, 'auditor', 'SIGSTOP'); // it would find that the violation has ended
      await query(`insert into integrity_violations (organization_id, id, order_id, entry_id, reason)
      values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', 'entry 1 was rewritten')`);
      const verdict = page.getByRole('alert');
      await verdict.getByText('1 thing needs attention:').waitFor();
      expect(await verdict.innerText()).toContain('Open integrity violations: 1.');
      expect(await verdict.innerText()).toContain('docs/operators/runbooks/LedgerFault.md');
      expect(await page.getByText('Everything works.').count()).toBe(0);
      expect(await exitCode()).toBe(1);
      await judge();
      await verdict.getByRole('link', { name: 'Ledger' }).click();
      await page.getByText('entry 1 was rewritten').waitFor();
      await verdict.getByText('1 integrity violation is open.').waitFor();
      await query('delete from integrity_violations');
      signalAll(stack, 'auditor', 'SIGCONT');
      await close();
    });

    test('a message without proof of origin is one thing in navigation, status and dead letters', async () => {
      const query = (text: string, values: unknown[] = []) =>
        asSuperuser(stack, 'webhooks', (client) => client.query(text, values));
      const { page, close } = await open(['dispatcher']);
      const link = page.getByRole('navigation').getByRole('link', { name: /^Dead letters/ });
      const nothing = page.locator('.verdict.good', { hasText: 'No message is parked' });
      await goTo('/dead-letters');
      await nothing.waitFor();
      expect(await link.innerText()).toBe('Dead letters');
      const reason = 'The message is not authentic: it carries no proof of origin.';
      await query(
        `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id, type,
         value, reason, rejected)
       values (gen_random_uuid(), 'webhooks.dispatcher', 'custody.custody-events.v1', 0, 0, 'k',
         'e', 'order.sealed', '', $1, true)`,
        [reason],
      );
      await goTo('/dead-letters');
      const row = page.getByRole('table', { name: 'Dead letters' }).locator('tbody tr');
      await row.getByText(reason).waitFor();
      expect(await nothing.count()).toBe(0);
      await row.getByText('rejected', { exact: true }).waitFor();
      await until(async () => (await link.innerText()) === 'Dead letters 1', { what: 'the count' });
      await judge();
      expect((await operator(stack, 'status')).code).toBe(1);
      await goTo('/status');
      const verdict = page.getByRole('alert');
      await verdict.getByText('1 thing needs attention:').waitFor();
      expect(await verdict.innerText()).toContain('docs/operators/runbooks/MessagesRejected.md');
      await verdict.getByRole('link', { name: 'Dead letters' }).click();
      await row.getByRole('button', { name: 'Discard' }).click();
      await page.getByRole('dialog').getByLabel('Reason').fill('forged');
      await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
      await nothing.waitFor();
      await goTo('/status');
      await page.getByText('Everything works.').waitFor();
      expect((await operator(stack, 'status')).code).toBe(0);
      await close();
    });

    test("a partner's endpoint that becomes broken is counted and listed, and works are not in doubt", async () => {
      const query = (text: string, values: unknown[] = []) =>
        asSuperuser(stack, 'webhooks', (client) => client.query(text, values));
      const id = crypto.randomUUID();
      const organization = stack.file().organizations[0]!.id;
      await query(
        `insert into endpoints (organization_id, id, url, status, consecutive_failures, failing_since,
         verified_at)
       values ($1, $2, 'https://hooks.example.org/pto', 'ENABLED', 277,
         now() - interval '8 min', now() - interval '1 day')`,
        [organization, id],
      );
      const { page, close } = await open(['support']);
      await goTo('/status');
      const section = page.getByRole('region', { name: 'Endpoints that become broken' });
      await section.getByRole('link', { name: 'https://hooks.example.org/pto' }).waitFor();
      await section.getByText('277').waitFor();
      await page.getByText("The services work. A partner's endpoint fails.").waitFor();
      const [verdict, finding] = await page.evaluate<string[]>(
        `['.verdict', '.finding .warns'].map((one) => getComputedStyle(document.querySelector(one)).color)`,
      );
      expect(verdict).toMatch(/^rgb/);
      expect(verdict).toBe(finding);
      const link = page.getByRole('navigation').getByRole('link', { name: /^Status/ });
      expect(await link.innerText()).toBe('Status 1');
      expect((await operator(stack, 'status')).code).toBe(0);
      const { json } = await operator(stack, 'endpoint', 'breaking');
      expect(json).toEqual([expect.objectContaining({ id, consecutive_failures: 277 })]);
      await judge();
      await goTo('/organizations');
      const rows = page.getByRole('table', { name: 'Organizations' }).locator('tbody tr');
      const failed = 'hooks.example.org failed 277 times in a row';
      await rows.first().getByRole('link', { name: failed }).waitFor();
      await judge();
      await goTo('/status');
      await query('delete from endpoints where id = $1', [id]);
      await section.getByText('Every endpoint receives its deliveries.').waitFor();
      await close();
    });

    test('status has every measurement that the pages and the command line have words for', async () => {
      const { json } = await operator(stack, 'status', '--all');
      const shown = new Set(
        (json as { measurement: string }[]).map(({ measurement }) => measurement),
      );
      // a witness is one that somebody has configured
      const missing = Object.keys(measurements).filter((name) => !shown.has(name));
      expect(missing).toEqual(['custody_witness_behind_seconds']);
    });

    test('an auditor acknowledges a violation with a reason, and others cannot', async () => {
      const orderId = (await partner(stack).post('/orders', orderBody())).body.id as string;
      const reason = `entry 1 of ${orderId} was rewritten`;
      signalAll(stack, 'auditor', 'SIGSTOP'); // it would find that the violation has ended
      await asSuperuser(stack, 'orders', (client) =>
        client.query(
          `insert into integrity_violations (organization_id, id, order_id, entry_id, reason)
         select organization_id, gen_random_uuid(), id, '', $2 from orders where id = $1`,
          [orderId, reason],
        ),
      );
      const support = await open(['support']);
      await goTo('/ledger');
      await support.page.getByText(reason).waitFor();
      expect(await support.page.getByRole('button', { name: 'Acknowledge' }).count()).toBe(0);
      await support.close();
      const { page, close } = await open(['auditor'], phone);
      await goTo('/ledger?state=open');
      const row = page.locator('tr', { hasText: reason });
      await row.getByRole('button', { name: 'Acknowledge' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('A restored backup');
      await judge();
      await dialog.getByRole('button', { name: 'Acknowledge' }).click();
      await dialog.waitFor({ state: 'hidden' });
      await row.waitFor({ state: 'detached' });
      await page.getByLabel('State').selectOption('acknowledged');
      await row.getByText('acknowledged by A Dispatcher: A restored backup').waitFor();
      await judge();
      signalAll(stack, 'auditor', 'SIGCONT');
      await close();
    });

    test('an administrator issues a token that is shown once, and revokes it', async () => {
      const { page, close } = await open(['admin']);
      const name = `Night shift ${crypto.randomUUID()}`;
      await goTo('/operators');
      await page.getByRole('button', { name: 'Issue a token' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Whose it is').fill(name);
      await dialog.getByRole('button', { name: 'Issue' }).click();
      await dialog.getByText('Choose at least one role.').waitFor();
      await dialog.getByLabel('dispatcher').check();
      await judge();
      await dialog.getByRole('button', { name: 'Issue' }).click();
      const secret = await dialog.locator('code').innerText();
      await judge();
      const asToken = () => startConsoleSession(stack, secret);
      expect((await asToken()).status).toBe(200);
      await dialog.getByRole('button', { name: 'Close' }).click();
      expect(await page.content()).not.toContain(secret);
      const row = page.locator('tr', { hasText: name });
      expect(await row.innerText()).toContain('by A Dispatcher');
      await row.getByText(/^until 20\d\d-/).waitFor();
      const ofThisHour = page
        .locator('tr', { hasText: 'just now' })
        .getByText(/^ends (today|tomorrow)$/);
      await ofThisHour.first().waitFor();
      await row.getByRole('button', { name: 'Revoke' }).click();
      await judge();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await row.getByText('revoked by A Dispatcher').waitFor();
      expect((await asToken()).status).toBe(401);
      await judge();
      await close();
    });

    test('an auditor sees operators and changes none; a dispatcher sees none', async () => {
      const auditor = await open(['auditor'], phone);
      await goTo('/operators');
      await auditor.page.getByRole('table', { name: 'Tokens' }).waitFor();
      const buttons = auditor.page.locator('#content').getByRole('button');
      expect(await buttons.count()).toBe(0);
      await judge();
      await auditor.close();
      const dispatcher = await open(['dispatcher']);
      await goTo('/operators');
      await dispatcher.page.getByText('need the role admin or auditor').waitFor();
      await dispatcher.close();
    });
  });
};
