import { createHmac } from 'node:crypto';
import { defineEntity, p } from '@mikro-orm/core';
import { type Database, execute, tablesOf } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';

/**
 * Statements for a service's migration: what the mover compares before it copies rows from one cell
 * to another.
 */
export const moveSettingsTable: readonly string[] = [
  `create table move_settings (
    -- of the setting
    name text primary key,
    -- a tag for each of its values, or the value itself if it is a number
    tags text[] not null
  )`,
];

export const MoveSettingEntity = defineEntity({
  name: 'MoveSetting',
  tableName: 'move_settings',
  properties: { name: p.text().primary(), tags: p.array() },
});

const tables = tablesOf([MoveSettingEntity]);

/** Returns a text by which a process that has the value recognizes it. */
export const tagOf = (value: string | Buffer): string =>
  createHmac('sha256', value).update('a move of an organization between cells').digest('hex');

const everyMs = 3_600_000;

/**
 * Stores the settings of this process at its start, and every hour: the database may be restored.
 * Several replicas store the same.
 */
export const storeMoveSettings = (
  db: Database,
  settings: Readonly<Record<string, readonly string[]>>,
  { log }: Telemetry,
): Worker =>
  startWorker({
    tick: async () => {
      const rows = Object.entries(settings).map(([name, tags]) => ({ name, tags: [...tags] }));
      const insert = tables.insertInto('move_settings').values(rows);
      await execute(
        db,
        insert.onConflict((conflict) =>
          conflict.column('name').doUpdateSet(({ ref }) => ({ tags: ref('excluded.tags') })),
        ),
      );
      return everyMs;
    },
    failed: (err) => {
      log.debug({ err }, 'the settings for moves were not stored, will be tried again');
      return undefined;
    },
  });
