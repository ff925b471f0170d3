import {
  type ArrayOf,
  type Database,
  fragment,
  type Placeholders,
  statement,
  unnest,
} from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { tables } from '../schema/tables.ts';

const everyMs = 10_000;
const minuteMs = 60_000;
const waitingMax = 10_000;

const updateOf = (table: 'api_keys' | 'portal_sessions') =>
  statement((given: Placeholders<{ id: ArrayOf<string>; minute: ArrayOf<number> }>) => {
    const at = fragment<string>`to_timestamp(${fragment.ref('u.minute')} * 60)`;
    return (
      tables
        // the statement reads and writes columns that both tables have
        .updateTable(`${table as 'api_keys'} as k`)
        .from(unnest('u', given, { id: 'uuid', minute: 'bigint' }))
        .set({ last_used_at: at })
        .whereRef('k.id', '=', 'u.id')
        .where(({ eb, or }) =>
          or([eb('k.last_used_at', 'is', null), eb('k.last_used_at', '<', at)]),
        )
    );
  });

/** Keys, and sessions of the portal; the ids of both are unique together. */
const updates = [updateOf('api_keys'), updateOf('portal_sessions')];

/**
 * Records the minute of each key's and session's last use, every 10 s, outside of the requests.
 * While 10,000 of them wait, further uses are not recorded.
 */
export const startLastUsed = (
  db: Database,
  telemetry: Telemetry,
): { used(keyId: string): void; stop(): Promise<void> } => {
  let waiting = new Map<string, number>();
  const written = new Map<string, number>();

  const flush = async () => {
    const batch = waiting;
    waiting = new Map();
    if (batch.size === 0) return;
    try {
      for (const update of updates)
        await update(db, { id: [...batch.keys()], minute: [...batch.values()] });
    } catch (error) {
      waiting = new Map([...batch, ...waiting]); // written by the next flush
      throw error;
    }
  };
  const failed = (err: unknown): number => {
    telemetry.log.warn({ err }, 'cannot store when keys were last used');
    return everyMs;
  };
  const worker = startWorker({
    firstPauseMs: everyMs,
    tick: async () => {
      await flush();
      return everyMs;
    },
    failed,
  });
  return {
    used: (keyId) => {
      const minute = Math.floor(Date.now() / minuteMs);
      if (written.get(keyId) === minute || waiting.size >= waitingMax) return;
      if (written.size >= waitingMax) written.clear();
      written.set(keyId, minute);
      waiting.set(keyId, minute);
    },
    stop: async () => {
      await worker.stop();
      await flush().catch(failed);
    },
  };
};
