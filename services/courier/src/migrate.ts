import { migrateOnce } from '@pto/database/migrate-once';
import { migrations } from '../migrations/index.ts';

await migrateOnce('courier', migrations);
