import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { Bus } from '../bus.ts';
import { type DeadLetterRow, messageColumns, parkedMessage } from './dead-letter-row.ts';
import type { Source } from './source.ts';

const batchMax = 100;
const restMs = 60_000;

export const deadLetterTopic = (topic: string): string => `${topic}.dlq`;

/**
 * Publishes a copy of each parked message to `<topic>.dlq`, at least once. The copies are published
 * in the background, so that parking needs only the database. A failed copy is tried again.
 */
export const startCopies = (bus: Bus, db: Database, source: Source, telemetry: Telemetry) => {
  const copy = async (): Promise<number> => {
    const rows = await db.query<DeadLetterRow>(
      `select ${messageColumns} from dead_letters
      where consumer = $1 and topic = $2 and copied_at is null order by id limit ${batchMax}`,
      [source.group, source.topic],
    );
    if (rows.length === 0) return 0;
    const topic = deadLetterTopic(source.topic);
    await bus.publish(rows.map((row) => ({ ...parkedMessage(topic, row), reason: row.reason })));
    await db.query('update dead_letters set copied_at = now() where id = any($1::uuid[])', [
      rows.map(({ id }) => id),
    ]);
    return rows.length;
  };

  return startWorker({
    tick: async () => ((await copy()) < batchMax ? restMs : 0),
    failed: (error) => {
      telemetry.log.debug(
        { err: error, ...source },
        'dead letters could not be copied, will be retried',
      );
    },
  });
};
