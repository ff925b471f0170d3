import { type Database, openDatabase } from '@pto/database';
import { hold, levels, type MovedService, release, type Try } from '@pto/moves';
import { createTelemetry } from '@pto/telemetry';

/** Holds and releases organizations in the database of a service, as the mover does. */
export const openHolds = (ownerUrl: string, name: MovedService) => {
  let opened: Promise<Database> | undefined;
  const telemetry = createTelemetry({ service: 'mover', write: () => {} });
  const limits = { poolMax: 2, statementTimeoutMs: 30_000, lockTimeoutMs: 30_000 };
  const owner = () => (opened ??= openDatabase({ url: ownerUrl, ...limits, telemetry }));
  return {
    hold: async ({ level = levels.held, ...held }: Try & { level?: Parameters<typeof hold>[3] }) =>
      hold(await owner(), name, held, level),
    release: async (held: Try) => release(await owner(), name, held),
    close: async () => (await opened)?.close(),
  };
};
