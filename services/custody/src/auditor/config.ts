import { base64Keys, durationMs, integer, list, type Settings, text, urls } from '@pto/config';
import { databaseSettings } from '@pto/database';
import { mailSettings } from '@pto/mail';
import { rpcServerSettings } from '@pto/rpc';
import { anchorSettings } from '../config.ts';

export const auditorSettings = {
  /** Includes DATABASE_URL, the URL of a role that can only read. */
  ...databaseSettings,
  ...rpcServerSettings,
  ...mailSettings,
  ordersUrls: urls('ORDERS_URL', ['https']),
  ...anchorSettings,
  /** File with what the auditor has verified, outside the ledger's database. */
  stateFile: text('CUSTODY_AUDITOR_STATE_FILE'),
  /** Keys that authenticate the state file, 32 bytes in base64: the first signs, all verify. */
  stateKeys: base64Keys('CUSTODY_AUDITOR_STATE_KEY'),
  /** Pause between two audits of new entries. */
  pauseMs: durationMs('CUSTODY_AUDITOR_PAUSE', { fallback: 10_000 }),
  /** Rate of the rolling full audit, in entries, leaves and checkpoints per second. */
  fullRate: integer('CUSTODY_AUDITOR_FULL_RATE', { min: 1, fallback: 2000 }),
  /** Addresses to which violations are mailed. */
  operatorMail: list('OPERATOR_MAIL', (address) => address, { fallback: [] }),
};

export type AuditorSettings = Settings<typeof auditorSettings>;
