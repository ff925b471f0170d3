import { kafkaThreeBrokers } from './kafka/kafka-three-brokers.ts';
import { postgresFailover } from './postgres/postgres-failover.ts';
import { postgresRestoreOne } from './postgres/postgres-restore-one.ts';
import type { Rehearsal } from './stage/rehearsal.ts';

/** All rehearsals, in the order in which they are listed. */
export const rehearsals: readonly Rehearsal[] = [
  postgresRestoreOne,
  postgresFailover,
  kafkaThreeBrokers,
];
