/** Consumes, and exits after the first batch's transaction, before the offset is committed. */
import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { type Bus, consume } from '../../src/index.ts';
import { openTestBus } from '../open-test-bus.ts';

const { url, busSettings, group, topic } = JSON.parse(process.env.CONSUMER!);
const telemetry = createTelemetry({ service: 'dies', write: () => {} });
const bus = await openTestBus(busSettings);
const dying: Bus = {
  ...bus,
  subscribe: (options) =>
    bus.subscribe({
      ...options,
      handle: async (batch, signal) => {
        await options.handle(batch, signal);
        process.kill(process.pid, 'SIGKILL');
        await new Promise(() => {});
      },
    }),
};
const db = await openDatabase({
  url,
  poolMax: 4,
  statementTimeoutMs: 3000,
  lockTimeoutMs: 2000,
  telemetry,
});
await consume(dying, db, {
  group,
  topic,
  telemetry,
  rejection: () => undefined,
  handle: async (messages, tx) => {
    for (const { key, id, value } of messages)
      await tx.query('insert into effects (key, event_id, value) values ($1, $2, $3)', [
        key,
        id,
        Buffer.from(value).toString(),
      ]);
  },
});
