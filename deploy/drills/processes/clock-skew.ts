import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@pto/testing';
import { asSuperuser } from '../../../e2e/as-superuser.ts';
import { settled } from '../../../e2e/local-stack.ts';
import { openLoaded } from '../bed/loaded.ts';
import type { Bed, Drill } from '../drill.ts';
import { openServer } from '../postgres/server.ts';

const aheadS = 600;
const services = ['orders', 'custody', 'webhooks'];
/** Of the runbook: deliveries of the time ahead are due when the clock has caught up. */
const statement = 'update pending_deliveries set due_at = now() where not tried and due_at > now()';

/** docs/operators/runbooks/ClockSkew.md: a database's server; e2e/faults has the clocks of processes. */
export const clockSkew: Drill = {
  name: 'clock-skew',
  summary: "the database server's clock jumps 10 minutes ahead and back: nothing is lost",
  run: async (bed) => {
    const clock = openFakeClock(bed);
    const server = await bed.step('a database server with a clock of its own', () =>
      openServer(bed, 'all', { environment: clock.env }),
    );
    const on = await openLoaded(bed, { env: { DATABASE_URL: server.url } });
    const makeDue = (): Promise<number> =>
      asSuperuser(server.url, 'webhooks', async (client) => {
        const { rowCount } = await client.query(statement);
        bed.note(`  $ psql webhooks: ${statement}   (${rowCount} rows)`);
        return rowCount ?? 0;
      });

    await bed.step(`the server is ${aheadS} s ahead: the processes are not ready`, async () => {
      clock.ahead(aheadS);
      for (const name of services) {
        const isBehind = (skewS: number) => Math.abs(skewS + aheadS) < 5;
        await on.metricIs(name, 'clock_skew_seconds', isBehind);
        const { healthUrl } = on.stack.file().services.find((one) => one.name === name)!;
        await until(async () => (await fetch(healthUrl)).status === 503, { what: `${name}: 503` });
        bed.note(`  ${name}: clock_skew_seconds is -${aheadS}, it is not ready`);
      }
      await on.closed(5);
      await on.arrived();
    });
    await bed.step('the clock is stepped back while deliveries wait', async () => {
      on.receiver.state.status = null; // the receiver does not respond: later events wait
      await on.closed(4);
      clock.ahead(0);
      await settled(on.stack);
      on.receiver.state.status = 204;
      await until(async () => (await makeDue()) > 0, { what: 'waiting deliveries' });
      await on.closed(5);
      await on.arrived();
    });
    await bed.step('it jumps three times', async () => {
      for (const seconds of [aheadS, -aheadS, 0]) {
        clock.ahead(seconds);
        await on.closed(3);
      }
      await settled(on.stack);
      await makeDue();
      await on.finish();
      await on.complete();
    });
  },
};

/** A wall clock of processes that read it through libfaketime; their monotonic clocks are right. */
const openFakeClock = (bed: Bed) => {
  const library = readdirSync('/usr/lib')
    .map((folder) => join('/usr/lib', folder, 'faketime/libfaketime.so.1'))
    .find((path) => existsSync(path));
  if (library === undefined) throw new Error('needs libfaketime: apt-get install libfaketime');
  const file = join(bed.folder, 'clock');
  /** Sets the clock ahead of the machine's, within 2 s. */
  const ahead = (seconds: number): void => {
    bed.note(`  the clock is set to ${seconds} s ahead`);
    writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 });
  };
  ahead(0);
  const settings = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_CACHE_DURATION: '1' };
  const monotonic = { FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DISABLE_SHM: '1' };
  return { ahead, env: { ...process.env, LD_PRELOAD: library, ...settings, ...monotonic } };
};
