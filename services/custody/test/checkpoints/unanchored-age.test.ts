import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { afterAll, beforeAll, test } from '@jest/globals';
import { until } from '@pto/testing';
import { anOrderId, anOrganization, eventsOf, startCustodyService } from '../custody-service.ts';

let under: Awaited<ReturnType<typeof startCustodyService>>;
beforeAll(async () => {
  under = await startCustodyService();
});
afterAll(() => under.stop());

/** `custody_log_unanchored_seconds`, as Prometheus reads it. */
const unanchoredSeconds = async (): Promise<number> => {
  const [line] = /^custody_log_unanchored_seconds.*$/m.exec(
    await under.telemetry.metrics.metrics(),
  )!;
  return Number(line.split(' ')[1]);
};

test('entries that the anchor does not take are older with each second, until it does', async () => {
  await under.publish(eventsOf(anOrderId(), anOrganization(), 1));
  await until(async () => (await under.anchored()).length === 1, { what: 'an anchored entry' });
  renameSync(under.anchorFile, `${under.anchorFile}.away`);
  mkdirSync(under.anchorFile);
  await under.publish(eventsOf(anOrderId(), anOrganization(), 1));
  await until(async () => (await unanchoredSeconds()) > 1, { what: 'an entry that waits' });
  rmdirSync(under.anchorFile);
  renameSync(`${under.anchorFile}.away`, under.anchorFile);
  await until(async () => (await unanchoredSeconds()) === 0, { what: 'the anchor again' });
}, 60_000);
