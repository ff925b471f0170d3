/**
 * What the console's live list of orders costs, and whether it misses a change:
 * `RATE=50 SECONDS=30 node bench/live-list.ts` makes 50 changes a second, first with nobody looking, then
 * beside the list in Chromium. A change is missed if the list does not show it, or a later one of the
 * same order, 4 s after its response: the list is read every 2 s.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { orderStatuses } from '@pto/proto/vocabulary';
import { launchChromium, type Page } from '../e2e/chromium.ts';
import { signInToConsole } from '../e2e/console-sign-in.ts';
import type { LocalStack } from '../e2e/local-stack.ts';
import { operatorClients } from '../e2e/operator.ts';
import { walk } from '../operator/src/commands/order-steps.ts';
import { create, orderWith } from './fairness/calls.ts';
import { type Prepared, stackProcesses, withStack } from './http/stack.ts';
import { atRate } from './latency/constant-rate.ts';
import { type Change, createWatch } from './live/watched-list.ts';
import { cpuNow, cpuSince, cpuText, sumOf } from './measuring/process-cpu.ts';
import { noOutcome, reporting, say, VoidRun } from './measuring/report.ts';

const perSecond = Number(process.env.RATE ?? 50);
const seconds = Number(process.env.SECONDS ?? 30);
/** The statuses of a life, from that of a new order to the last. */
const statuses = orderStatuses.slice(1, orderStatuses.indexOf('CLOSED') + 1);
const pauseMs = 500;
const lookEveryMs = 250;

/** Orders that are created and moved at the rate, with a pause before each step. */
const load = async ({ stack, baseUrl, key }: Prepared, changed: (change: Change) => void) => {
  const { orders } = operatorClients(stack);
  await atRate({ perSecond: perSecond / statuses.length, seconds }, async () => {
    const id = await create(baseUrl, '/orders', key, orderWith(1));
    for (const [rank, status] of statuses.entries()) {
      if (rank > 0) {
        await sleep(pauseMs);
        await walk(orders, id, status, 0);
      }
      changed({ id, rank, at: performance.now() });
    }
  });
};

const openList = async (stack: LocalStack, page: Page): Promise<void> => {
  await signInToConsole(page, stack, ['support']);
  await page.getByRole('radio', { name: 'All' }).check();
  await page.locator('tbody tr').first().waitFor();
};

/** Ids and statuses of the rows, from the top. */
const rowsOf = (page: Page): Promise<[string, string][]> =>
  page.evaluate(
    `[...document.querySelectorAll('tbody tr')].map((row) =>
      [row.querySelector('a').pathname.split('/').pop(), row.querySelector('.badge').textContent])`,
  );

const rankOf = (badge: string): number =>
  statuses.findIndex((status) => status.replaceAll('_', ' ').toLowerCase() === badge);

await withStack(async (prepared) => {
  const { stack } = prepared;
  const processes = [...stackProcesses(stack.file()), 'chromium'];
  const report = (what: string, before: ReturnType<typeof cpuNow>, begun: number): void => {
    const tookMs = performance.now() - begun;
    const perMs = Object.entries(cpuSince(before, processes)).map(
      ([name, micros]) => [name, micros / tookMs / 10] as const,
    );
    const percent = Object.fromEntries(perMs);
    say(`  ${what}: ${sumOf(percent).toFixed(0)} % of a core; ${cpuText(percent)}`);
  };

  await reporting(`${perSecond} changes a second and the live list`, async () => {
    let [before, begun] = [cpuNow(), performance.now()];
    await load(prepared, () => {});
    report('nobody looks', before, begun);

    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await openList(stack, page);
      const watch = createWatch();
      [before, begun] = [cpuNow(), performance.now()];
      const done = load(prepared, watch.changed);
      let isLoaded = true;
      const watching = (async () => {
        while (isLoaded) {
          const at = performance.now();
          watch.saw(at, new Map((await rowsOf(page)).map(([id, badge]) => [id, rankOf(badge)])));
          await sleep(lookEveryMs);
        }
      })();
      await done;
      report('the list is open', before, begun);
      isLoaded = false;
      await watching;
      const { looks, changes, missed, latestMs } = watch.result();
      say(
        `  ${changes} changes, ${looks} looks, ${missed} missed, the latest shown after ${latestMs} ms`,
      );
      if (missed > 0) throw new VoidRun(`the list missed ${missed} changes`);
    } finally {
      await browser.close();
    }
    return noOutcome;
  });
});
