/** Whatever a page lists as broken is on Status, with a link to the page. */
import { describe, expect, test } from '@jest/globals';
import { measurements } from '@pto/proto/measurements';
import { until } from '@pto/testing';
import { groups, measuredOf } from '../../../console/src/parts/measured.ts';
import { asSuperuser, type DatabaseName } from '../../as-superuser.ts';
import { hasChromium } from '../../chromium.ts';
import { signalAll } from '../../kill.ts';
import type { LocalStack } from '../../local-stack.ts';
import { orderBody, partner } from '../../partner.ts';
import { startReceiver } from '../../receiver.ts';
import { consoleBrowser } from '../console/console-browser.ts';

/** What is broken, and how Status and the page say so. */
interface Broken {
  readonly what: string;
  /** Makes it. @returns what ends it. */
  readonly make: () => Promise<() => Promise<unknown>>;
  /** In the verdict of Status. */
  readonly verdict: RegExp;
  /** The page, by the name of its link in the verdict; undefined: Status itself lists it. */
  readonly page?: string;
  /** On that page. */
  readonly listed: RegExp;
}

export const statusAndPages = (stack: LocalStack): void => {
  const sql = (database: DatabaseName, text: string, values: unknown[] = []) =>
    asSuperuser(stack, database, (client) => client.query(text, values));
  const organization = () => stack.file().organizations[0]!.id;

  const parked = (rejected: boolean) => async () => {
    await sql(
      'orders',
      `insert into dead_letters (id, consumer, topic, partition, "offset", key, event_id, type,
         value, reason, rejected)
       values (gen_random_uuid(), 'orders.custody-evidence', 'custody.custody-events.v1', 0, 0, 'k',
         'e', 'order.sealed', '', 'it is broken', $1)`,
      [rejected],
    );
    return () => sql('orders', `delete from dead_letters where reason = 'it is broken'`);
  };
  const audited = (kind: string) => async () => {
    signalAll(stack, 'auditor', 'SIGSTOP'); // it would audit
    const age = (by: string) =>
      sql('orders', `update ledger_audits set completed_at = ${by} where kind = $1`, [kind]);
    await age(`completed_at - interval '15 days'`);
    return async () => {
      await age('now()');
      signalAll(stack, 'auditor', 'SIGCONT');
    };
  };
  const violated = async () => {
    signalAll(stack, 'auditor', 'SIGSTOP'); // it would find that the violation has ended
    await sql(
      'orders',
      `insert into integrity_violations (organization_id, id, order_id, entry_id, reason)
       values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', 'it was rewritten')`,
    );
    return async () => {
      await sql('orders', 'delete from integrity_violations');
      signalAll(stack, 'auditor', 'SIGCONT');
    };
  };
  const breaking = async () => {
    await sql(
      'webhooks',
      `insert into endpoints (organization_id, id, url, status, consecutive_failures, failing_since,
         verified_at)
       values ($1, gen_random_uuid(), 'https://breaks.example/pto', 'ENABLED', 277,
         now() - interval '8 min', now() - interval '1 day')`,
      [organization()],
    );
    return () => sql('webhooks', `delete from endpoints where url = 'https://breaks.example/pto'`);
  };
  const moving = (phase: string, failure: string | null) => async () => {
    // no mover takes it
    await sql(
      'access',
      `insert into organization_moves (id, organization_id, source, target, phase, started_by,
         tries, failure, next_try_at)
       values (gen_random_uuid(), $1, 'main', 'second', $2, 'A Dispatcher', 3, $3, 'infinity')`,
      [organization(), phase, failure],
    );
    return () => sql('access', 'delete from organization_moves');
  };
  const untold = async () => {
    const receiver = await startReceiver(stack);
    const { body: endpoint } = await receiver.subscribe();
    receiver.state.status = 503;
    await partner(stack).post('/orders', orderBody());
    await until(() => receiver.received.length > 0, { what: 'an attempt' });
    await until(
      async () =>
        (
          await sql(
            'webhooks',
            'update pending_deliveries set attempts = 3 where endpoint_id = $1',
            [endpoint.id],
          )
        ).rowCount! > 0,
      { what: 'the failed delivery' },
    );
    return async () => {
      await partner(stack).call('DELETE', `/webhooks/${endpoint.id}`);
      await receiver.stop();
    };
  };

  const all: readonly Broken[] = [
    {
      what: 'a parked message',
      make: parked(false),
      verdict: /Dead letters: 1\..*orders, orders.custody-evidence.*DeadLettersWaiting/,
      page: 'Dead letters',
      listed: /it is broken/,
    },
    {
      what: 'a rejected message',
      make: parked(true),
      verdict: /Dead letters without proof of origin: 1\..*MessagesRejected/,
      page: 'Dead letters',
      listed: /it is broken/,
    },
    {
      what: 'an open violation',
      make: violated,
      verdict: /Open integrity violations: 1\./,
      page: 'Ledger',
      listed: /it was rewritten/,
    },
    {
      what: 'a late audit of new entries',
      make: audited('new_entries'),
      verdict: /Last audit of new entries: 15 d/,
      page: 'Ledger',
      listed: /^15 d/,
    },
    {
      what: 'a late audit of all entries',
      make: audited('full'),
      verdict: /Last audit of all entries: 15 d/,
      page: 'Ledger',
      listed: /^15 d/,
    },
    {
      what: 'a breaking endpoint',
      make: breaking,
      verdict: /A partner's endpoint fails\./,
      listed: /breaks\.example/,
    },
    {
      what: 'an order that an endpoint was not told of',
      make: untold,
      verdict: /An endpoint was not told of an order\./,
      listed: /127\.0\.0\.1|localhost/,
    },
    {
      what: 'a move that fails',
      make: moving('COPYING', 'the target has no room'),
      verdict: /An organization's move is stuck\./,
      listed: /the target has no room/,
    },
    {
      what: 'a move that holds changes',
      make: moving('HOLDING', null),
      verdict: /An organization's move is stuck\./,
      listed: /holds changes/,
    },
  ];

  test('every measurement has its group, and its page if a page lists what it counts', () => {
    const withoutPage = Object.keys(measurements).filter((name) => {
      expect(Object.keys(groups)).toContain(measuredOf(name).group);
      return measuredOf(name).page === undefined;
    });
    expect(withoutPage).toEqual([
      ...['outbox_unsent', 'outbox_oldest_unsent_seconds', 'bus_consumer_lag'],
      ...['webhook_pending_deliveries', 'webhook_oldest_due_seconds'],
      ...['webhook_suspect_deliveries', 'webhook_refused_deliveries'],
    ]);
  });

  (hasChromium ? describe : describe.skip)('in the console', () => {
    const { open, goTo, judge } = consoleBrowser(stack);

    test('what is broken is on Status and on its page, and gone after its end', async () => {
      const { page, close } = await open(['support', 'dispatcher']);
      const verdict = page.locator('.verdict');
      for (const { what, make, verdict: words, page: name, listed } of all) {
        const end = await make();
        const message = `${what}: ${words}`;
        try {
          await goTo('/status');
          await verdict.filter({ hasText: words }).waitFor();
          await judge();
          if (name) await verdict.getByRole('link', { name }).click();
          await page.locator('tbody').getByText(listed).first().waitFor();
        } catch (error) {
          throw new Error(message, { cause: error });
        } finally {
          await end();
        }
        await goTo('/status');
        await page.getByText('Everything works.').waitFor();
        await until(async () => !words.test(await verdict.innerText()), { what: `${what} ended` });
      }
      await close();
    }, 200_000);

    test('says of each group in one sentence that it works, with the numbers behind it', async () => {
      const { page, close } = await open(['support'], { viewport: { width: 390, height: 844 } });
      await goTo('/status');
      for (const [works] of Object.values(groups)) await page.getByText(works).waitFor();
      const number = page.getByText('Last audit of new entries');
      expect(await number.isVisible()).toBe(false);
      await page.getByText(groups.ledger[0]).click();
      await number.waitFor();
      await judge();
      await close();
    });
  });
};
