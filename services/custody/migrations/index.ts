import type { MigrationList } from '@pto/database';
import { custody } from './20261126090000_custody.ts';
import { feed } from './20261127090000_feed.ts';
import { moves } from './20261128050000_moves.ts';
import { topicPartitions } from './20261128120000_topic_partitions.ts';
import { moveFences } from './20261128130000_move_fences.ts';

/** The migrations in the order of their names. */
export const migrations: MigrationList = [custody, feed, moves, topicPartitions, moveFences];
