/** A process for the test beside it: it migrates and ends. */
import { sqlMigration } from '../src/index.ts';
import { migrateOnce } from '../src/migrations/migrate-once.ts';

const slow = 'select pg_sleep(0.3)';
const list = [sqlMigration('20260101000000_first', [slow, 'create table first (id int)'])];
const breaks = sqlMigration('20260102000000_second', [
  'create table second (id int)',
  'select no_such_column',
]);

await migrateOnce('sample', process.env.BREAKS ? [...list, breaks] : list);
