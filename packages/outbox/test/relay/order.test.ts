import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { openDatabase, uuidv7 } from '@pto/database';
import { until } from '@pto/testing';
import { startRelay } from '../../src/index.ts';
import { sendingService, silentTelemetry } from '../sending-service.ts';

let service: Awaited<ReturnType<typeof sendingService>>;
beforeEach(async () => {
  service = await sendingService();
});
afterEach(() => service.stop());

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i);

test('sends rows of a key in the order of writing, wherever they lie and whatever their ids', async () => {
  const { add, message, numbers, bus, database } = service;
  const ids = upTo(10)
    .map(() => uuidv7())
    .toReversed();
  await add(ids.map((id, n) => ({ ...message('a', n), id })));
  // the first five lie behind the others now
  await service.db.query('update outbox set request_id = $1 where event_id = any($2)', [
    'moved',
    ids.slice(0, 5),
  ]);
  const telemetry = silentTelemetry();
  const db = await openDatabase({
    url: database.serviceUrl,
    poolMax: 4,
    statementTimeoutMs: 3000,
    lockTimeoutMs: 2000,
    // rows come as they lie, unless the statement says otherwise
    session: { enable_indexscan: 'off', enable_bitmapscan: 'off' },
    telemetry,
  });
  const relay = startRelay({ db, bus, telemetry, readersOf: () => [] });
  await until(() => numbers('a').length === 10, { what: 'all rows' });
  await relay.stop();
  await db.close();
  expect(numbers('a')).toEqual(upTo(10));
});
