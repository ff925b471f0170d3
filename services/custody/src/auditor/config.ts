import { base64Key, durationMs, integer, list, type Settings, text, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { mailSettings } from '@pto/mail';
import { rpcServerSettings } from '@pto/rpc';
import { anchorSettings } from '../config.ts';

export const auditorSettings = {
  /** DATABASE_URL is a role's that can only read. */
  ...databaseSettings,
  ...rpcServerSettings,
  ...mailSettings,
  ordersUrls: urls('ORDERS_URL', ['https']),
  ...anchorSettings,
  /** What the auditor has verified, outside the ledger's database. */
  stateFile: text('CUSTODY_AUDITOR_STATE_FILE'),
  /** Signs the state file: 32 bytes in base64. */
  stateKey: base64Key('CUSTODY_AUDITOR_STATE_KEY', { secret: true }),
  /** Between two audits of new entries. */
  pauseMs: durationMs('CUSTODY_AUDITOR_PAUSE', { fallback: 10_000 }),
  /** What the rolling full audit reads, in entries, leaves and checkpoints a second. */
  fullRate: integer('CUSTODY_AUDITOR_FULL_RATE', { min: 1, fallback: 2000 }),
  /** Who is notified of a violation. */
  operatorMail: list('OPERATOR_MAIL', (address) => address, { fallback: [] }),
};

export type AuditorSettings = Settings<typeof auditorSettings>;
