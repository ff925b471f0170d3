/** A process for the test beside it: ready while its clock agrees with its database's. */
import { url } from '@pto/config';
import { main } from '@pto/lifecycle';
import { openDatabase } from '../../src/index.ts';

await main(
  'clocked',
  { url: url('DATABASE_URL', ['postgres', 'postgresql']) },
  async (given, telemetry) => {
    const db = await openDatabase({
      url: given.url,
      poolMax: 2,
      statementTimeoutMs: 2000,
      lockTimeoutMs: 1000,
      telemetry,
      clockEveryMs: 100,
    });
    return { checks: { clock: db.checkClock }, stop: () => db.close() };
  },
);
