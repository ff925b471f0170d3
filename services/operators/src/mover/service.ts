import type { Settings } from '@pto/config';
import { openDatabase } from '@pto/database';
import type { Service } from '@pto/lifecycle';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { openedCells } from './cells.ts';
import type { settings as declared } from './config.ts';
import { runMove } from './run-move.ts';
import { openSession, type Session } from './session.ts';
import { takeMove } from './steps.ts';

/** Pause between two looks for a move, or for the lock of another mover, in ms. */
const idleMs = 500;

/**
 * Starts a process that moves organizations between cells, one at a time (docs/operators/growth.md).
 * It alone has the rights of the owners of all cells' databases, and nobody calls it. Of several
 * movers one works, and the next one continues when the session of that one ends: before the switch
 * from the copy on, afterwards from the stored phase on.
 */
export const startMover = async (
  settings: Settings<typeof declared>,
  telemetry: Telemetry,
): Promise<Service> => {
  const { log } = telemetry;
  const access = await openDatabase({
    ...settings,
    url: settings.databaseUrl,
    poolMax: 2,
    telemetry,
  });
  const urls = {
    orders: settings.ordersOwnerUrls,
    custody: settings.custodyOwnerUrls,
    webhooks: settings.webhooksOwnerUrls,
  };
  let session: Session | null = null;
  const worker = startWorker({
    tick: async (stopping) => {
      session ??= await openSession(access);
      const move = session && (await takeMove(session));
      if (!session || !move) return idleMs;
      const signal = AbortSignal.any([stopping, session.lost]);
      const cells = openedCells(urls, telemetry);
      try {
        await runMove({ session, cells, signal, log }, move);
      } finally {
        await cells.close();
      }
      return 0;
    },
    failed: (err) => {
      log.warn({ err }, 'the mover has lost its session, or cannot read the moves');
      session?.release();
      session = null;
      return idleMs;
    },
  });
  return {
    checks: { database: () => access.ping(), clock: access.checkClock },
    stop: async () => {
      await worker.stop();
      session?.release();
      await access.close();
    },
  };
};
