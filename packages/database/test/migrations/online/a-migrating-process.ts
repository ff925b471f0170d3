/** A process for the tests beside it: it migrates the sample and ends. */
import { migrateOnce } from '../../../src/migrations/migrate-once.ts';
import { migrations } from './sample.ts';

await migrateOnce('sample', migrations);
