import { durationMs, list, type Settings, text, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { mailSettings } from '@pto/mail';
import { rpcServerSettings } from '@pto/rpc';
import { anchorSettings } from '../config.ts';

export const auditorSettings = {
  /** DATABASE_URL is a role's that can only read. */
  ...databaseSettings,
  ...rpcServerSettings,
  ...mailSettings,
  ordersUrls: urls('ORDERS_URL', ['http', 'https']),
  ...anchorSettings,
  /** What the auditor has seen, outside of the ledger's database. */
  stateFile: text('CUSTODY_AUDITOR_STATE_FILE'),
  /** Between two passes. */
  pauseMs: durationMs('CUSTODY_AUDITOR_PAUSE', { fallback: 10_000 }),
  /** Who is told of a fault. */
  operatorMail: list('OPERATOR_MAIL', (address) => address, { fallback: [] }),
};

export type AuditorSettings = Settings<typeof auditorSettings>;
