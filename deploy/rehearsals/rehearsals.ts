import { alertsFire } from './alerts/alerts-fire.ts';
import { organizationMove } from './cells/organization-move.ts';
import { autoscaling } from './cluster/autoscaling.ts';
import { certificateRenewal } from './cluster/certificate-renewal.ts';
import { clusterAlerts } from './cluster/cluster-alerts.ts';
import { clusterCell } from './cluster/cluster-cell.ts';
import { externalSecrets } from './cluster/external-secrets.ts';
import { nodeDrain } from './cluster/node-drain.ts';
import { nodeLoss } from './cluster/node-loss.ts';
import { releaseUpgrade } from './cluster/release-upgrade.ts';
import { routes } from './cluster/routes.ts';
import { dashboardsDrawn } from './dashboards/dashboards-drawn.ts';
import { diskFull } from './disk/disk-full.ts';
import { kafkaThreeBrokers } from './kafka/kafka-three-brokers.ts';
import { pgbouncer } from './postgres/pgbouncer.ts';
import { postgresFailover } from './postgres/postgres-failover.ts';
import { postgresRestoreAll } from './postgres/postgres-restore-all.ts';
import { postgresRestoreOne } from './postgres/postgres-restore-one.ts';
import { clockSkew } from './processes/clock-skew.ts';
import { rollingUpgrade } from './processes/rolling-upgrade.ts';
import { stopEachProcess } from './processes/stop-each-process.ts';
import { redisFailover } from './redis/redis-failover.ts';
import { certificatesRenewed } from './secrets/certificates-renewed.ts';
import { secretsRotated } from './secrets/secrets-rotated.ts';
import type { Rehearsal } from './stage/rehearsal.ts';

/** All rehearsals, in the order in which they are listed. */
export const rehearsals: readonly Rehearsal[] = [
  postgresRestoreOne,
  postgresRestoreAll,
  postgresFailover,
  pgbouncer,
  kafkaThreeBrokers,
  redisFailover,
  stopEachProcess,
  clockSkew,
  rollingUpgrade,
  diskFull,
  organizationMove,
  certificatesRenewed,
  secretsRotated,
  alertsFire,
  nodeDrain,
  nodeLoss,
  autoscaling,
  releaseUpgrade,
  routes,
  certificateRenewal,
  externalSecrets,
  clusterCell,
  clusterAlerts,
  dashboardsDrawn,
];
