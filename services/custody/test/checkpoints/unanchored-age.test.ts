import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { anOrderId, anOrganization, eventsOf, startCustodyService } from '../custody-service.ts';

let under: Awaited<ReturnType<typeof startCustodyService>>;
beforeAll(async () => {
  under = await startCustodyService();
});
afterAll(() => under.stop());

/** A gauge, as Prometheus reads it; NaN without a series. */
const gauge = async (name: string): Promise<number> => {
  const lines = await under.telemetry.metrics.metrics();
  return Number(new RegExp(`^${name}\\{.*\\} (.*)$`, 'm').exec(lines)?.[1]);
};
const unanchoredSeconds = () => gauge('custody_log_unanchored_seconds');

test('entries that the anchor does not take are older with each second, until it does', async () => {
  await under.publish(eventsOf(anOrderId(), anOrganization(), 1));
  await until(async () => (await under.anchored()).length === 1, { what: 'an anchored entry' });
  renameSync(under.anchorFile, `${under.anchorFile}.away`);
  mkdirSync(under.anchorFile);
  await under.publish(eventsOf(anOrderId(), anOrganization(), 1));
  await until(async () => (await unanchoredSeconds()) > 1, { what: 'an entry that waits' });
  // a checkpoint over the entry is signed, and only the one before is anchored
  const ages = ['custody_log_checkpoint_age_seconds', 'custody_log_anchor_age_seconds'];
  const [newest, anchored] = await Promise.all(ages.map(gauge));
  expect(anchored! - newest!).toBeGreaterThan(0);
  rmdirSync(under.anchorFile);
  renameSync(`${under.anchorFile}.away`, under.anchorFile);
  await until(async () => (await unanchoredSeconds()) === 0, { what: 'the anchor again' });
}, 60_000);
