import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type DrawnPanel, drawDashboards } from '../../../tools/dashboards/draw.ts';
import { scrapeSeconds } from '../alerts/prometheus.ts';
import { watchStack } from '../alerts/watch-stack.ts';
import { openStack } from '../stage/local-stack.ts';
import { closedIn, underLoad } from '../stage/partners.ts';
import { startReaders } from '../stage/readers.ts';
import type { Rehearsal, Stage } from '../stage/rehearsal.ts';
import { whileHung, whileOrdersAreLocked } from './outages.ts';
import { takePictures } from './pictures.ts';

const loadMs = 60_000;
const outageMs = 30_000;

/** Panels that show failures alone: they are empty while all is well. */
const failuresAlone = ['Errors by route', 'RPCs that fail'];

/** Returns a function that draws all dashboards, in pages and pictures, under one name. */
const drawerOf = (stage: Stage, prometheusUrl: string, begun: number) => async (name: string) => {
  const now = Date.now() / 1000;
  const folder = join(stage.results, name);
  const seconds = Math.ceil(now - begun);
  const drawn = await drawDashboards({ prometheusUrl, folder, seconds, end: now, scrapeSeconds });
  const errors = drawn.flatMap((panel) => panel.errors.map((text) => `${panel.title}: ${text}`));
  assert.deepEqual(errors, [], 'Prometheus runs each query');
  await takePictures(stage, folder);
  const empty = drawn.filter(({ lines }) => lines === 0).map(({ title }) => title);
  stage.note(`  ${name}: ${drawn.length} panels, without data: ${empty.join(', ') || 'none'}`);
  return drawn;
};

const hasData = (drawn: readonly DrawnPanel[], title: string): boolean =>
  drawn.some((panel) => panel.title === title && panel.lines > 0);

/** Draws the dashboards by their own queries under load and in outages. */
export const dashboardsDrawn: Rehearsal = {
  name: 'dashboards-drawn',
  summary: 'each panel of the dashboards has data under load and in outages; pictures of them',
  run: async (stage) => {
    const stack = await stage.step('the services', () => openStack(stage));
    const begun = Date.now() / 1000;
    const { partners } = await underLoad(stage, stack);
    const readers = startReaders(stack);
    stage.atEnd(readers.stop);
    const { prometheusUrl } = await stage.step('Prometheus', () => watchStack(stage, stack));
    const draw = drawerOf(stage, prometheusUrl, begun);

    await stage.step('under load', async () => {
      await closedIn(partners, 2);
      await sleep(loadMs); // the graphs show a minute of it
      const drawn = await draw('under-load');
      const empty = drawn.filter(({ title }) => !hasData(drawn, title)).map(({ title }) => title);
      assert.deepEqual(empty, failuresAlone, 'each other panel has data under load');
    });
    await stage.step('Kafka does not respond', () =>
      whileHung(stack, 'kafka', async () => {
        await sleep(outageMs); // the outage takes a third of the graphs
        const drawn = await draw('kafka-unavailable');
        assert.ok(!hasData(drawn, 'Waiting for the ledger'), 'no old number is shown as present');
      }),
    );
    await stage.step('Redis does not respond, and a session locks the orders', () =>
      whileHung(stack, 'redis', () =>
        whileOrdersAreLocked(stack, async () => {
          await sleep(outageMs);
          const drawn = await draw('orders-locked');
          for (const title of failuresAlone) assert.ok(hasData(drawn, title), `${title} has data`);
        }),
      ),
    );
    await readers.stop();
    await partners.stop();
  },
};
