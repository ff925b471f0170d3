import { byCell, url } from '@pto/config';
import { databaseSettings } from '@pto/database';

const postgres = ['postgres', 'postgresql'];

export const settings = {
  databaseUrl: databaseSettings.databaseUrl,
  statementTimeoutMs: databaseSettings.statementTimeoutMs,
  lockTimeoutMs: databaseSettings.lockTimeoutMs,
  /** URLs of the databases of each cell, as their owners: `main=…;north=…`. */
  ordersOwnerUrls: byCell(url('MOVER_ORDERS_URL', postgres)),
  custodyOwnerUrls: byCell(url('MOVER_CUSTODY_URL', postgres)),
  webhooksOwnerUrls: byCell(url('MOVER_WEBHOOKS_URL', postgres)),
};
