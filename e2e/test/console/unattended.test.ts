/** A page that nobody uses: its calls go on, and its session ends. */
import { describe, expect, test } from '@jest/globals';
import { hashSecret } from '@pto/access';
import { unattendedHeader } from '@pto/proto/headers';
import { until } from '@pto/testing';
import type { Request } from 'playwright-core';
import { asSuperuser } from '../../as-superuser.ts';
import { hasChromium } from '../../chromium.ts';
import { sharedStack } from '../test-stack.ts';
import { consoleBrowser } from './console-browser.ts';

const stack = sharedStack();

(hasChromium ? describe : describe.skip)('a page that nobody uses', () => {
  const { open, goTo } = consoleBrowser(stack);

  test('prolongs its session no longer, and one with a pressed key does', async () => {
    const { page, context, close } = await open(['support']);
    const session = (await context.cookies()).find(({ name }) => name === '__Host-session')!;
    const hash = hashSecret(session.value);
    const query = async (text: string) =>
      (await asSuperuser(stack, 'access', (client) => client.query(text, [hash]))).rows;
    const isRecent = async () => {
      const [row] = await query(
        `select last_used_at > clock_timestamp() - interval '20 min' as recent
         from operator_sessions where hash = $1`,
      );
      return row.recent as boolean;
    };
    const attended = new Set<Request>();
    page.on('request', (request) => {
      if (!request.headers()[unattendedHeader]) attended.add(request);
    });
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => attended.delete(request));
    let answered = 0;
    page.on('response', (response) => {
      const isUnattended = Boolean(response.request().headers()[unattendedHeader]);
      if (isUnattended && response.ok()) answered += 1;
    });
    await page.clock.install();
    await goTo('/orders');
    await page.getByRole('heading', { name: 'Orders' }).waitFor();
    // A call under way would end by its timeout when the clock advances, and the server would still
    // use the session. So the page begins no call until those under way have ended.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1000);
    await until(() => attended.size === 0, { what: 'the end of the attended calls' });
    await page.clock.fastForward(61_000);
    await query(
      `update operator_sessions set last_used_at = clock_timestamp() - interval '29 min'
       where hash = $1`,
    );
    const before = answered;
    await until(
      async () => {
        await page.clock.runFor(1_000);
        return answered > before + 1;
      },
      { what: 'two answered calls of the unattended page' },
    );
    expect(await isRecent()).toBe(false);
    await page.keyboard.press('Shift');
    await page.clock.runFor(16_000);
    await until(isRecent, { what: 'the use of the session' });
    await close();
  });
});
