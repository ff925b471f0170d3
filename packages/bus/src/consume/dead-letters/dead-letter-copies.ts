import { type Database, execute, fragment } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { Bus } from '../../bus.ts';
import type { Source } from '../consumer-tables.ts';
import { tables } from '../consumer-tables.ts';
import { messageColumns, parkedMessage } from './dead-letters.ts';

const batchMax = 100;
const restMs = 60_000;

export const deadLetterTopic = (topic: string): string => `${topic}.dlq`;

/**
 * Publishes a copy of each dead letter, parked or rejected, to `<topic>.dlq`, at least once. The
 * copies are published in the background, so that parking needs only the database. A failed copy is
 * tried again.
 */
export const startCopies = (bus: Bus, db: Database, source: Source, telemetry: Telemetry) => {
  const copy = async (): Promise<number> => {
    const rows = await execute(
      db,
      tables
        .selectFrom('dead_letters')
        .select(messageColumns)
        .where('consumer', '=', source.group)
        .where('topic', '=', source.topic)
        .where('copied_at', 'is', null)
        .orderBy('id')
        .limit(fragment.lit(batchMax)),
    );
    if (rows.length === 0) return 0;
    const topic = deadLetterTopic(source.topic);
    await bus.publish(rows.map((row) => ({ ...parkedMessage(topic, row), reason: row.reason })));
    const ids = rows.map(({ id }) => id);
    await execute(
      db,
      tables
        .updateTable('dead_letters')
        .set({ copied_at: fragment<string>`now()` })
        .where(({ eb, fn, val }) => eb('id', '=', fn.any(val(ids)))),
    );
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
