import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '@pto/config';
import { createTelemetry } from '@pto/telemetry';
import { tlsEnvironment, until } from '@pto/testing';
import { auditorSettings } from '../../src/auditor/config.ts';
import { startAuditor } from '../../src/auditor/service.ts';
import type { CustodyUnderTest } from '../custody-service.ts';

const stateKey = Buffer.alloc(32, 9).toString('base64');

/** The real auditor beside a custody service; it continues from the state of those before it. */
export const startAuditorBeside = async (
  under: CustodyUnderTest,
  environment: Readonly<Record<string, string>> = {},
) => {
  const lines: string[] = [];
  const telemetry = createTelemetry({ service: 'auditor', write: (line) => lines.push(line) });
  const { settings } = readConfig(auditorSettings, {
    ...under.environment,
    ...tlsEnvironment('auditor'),
    DATABASE_URL: under.database.readerUrl,
    CUSTODY_AUDITOR_STATE_FILE: stateFileOf(under),
    CUSTODY_AUDITOR_STATE_KEY: stateKey,
    CUSTODY_AUDITOR_PAUSE: '50ms',
    MAIL_DIR: mailDirOf(under),
    MAIL_FROM: 'ledger@test.example',
    OPERATOR_MAIL: 'night@test.example,day@test.example',
    ...environment,
  });
  if (environment.MAIL_DIR === undefined) mkdirSync(mailDirOf(under), { recursive: true });
  const service = await startAuditor(settings, telemetry);
  const logged = (msg: string) =>
    lines.map((line) => JSON.parse(line)).filter((line) => line.msg === msg);
  const passes = () => logged('audit pass completed');
  return {
    /** What people were notified of. */
    notified: () =>
      logged('integrity violation').map(({ orderId, entryId, reason }) => ({
        orderId,
        entryId,
        reason,
      })),
    failed: () => logged('audit pass failed'),
    passes,
    /** Complete passes from now on. */
    passed: async (count = 2) => {
      const enough = passes().length + count;
      await until(() => passes().length >= enough, { what: 'a pass' });
    },
    /** Full audits that end from now on. */
    fullAudits: async (count = 2) => {
      const completed = () => passes().filter(({ fullCompleted }) => fullCompleted).length;
      const enough = completed() + count;
      await until(() => completed() >= enough, { what: 'a full audit' });
    },
    metric: async (name: string) =>
      Number(
        new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(
          await telemetry.metrics.metrics(),
        )?.[1] ?? Number.NaN,
      ),
    stop: () => service.stop(),
  };
};

export const stateFileOf = (under: CustodyUnderTest): string => join(under.folder, 'auditor.json');

const mailDirOf = (under: CustodyUnderTest): string => join(under.folder, 'mail');

export const mailsOf = (under: CustodyUnderTest): string[] =>
  readdirSync(mailDirOf(under))
    .filter((name) => name.endsWith('.eml'))
    .map((name) => readFileSync(join(mailDirOf(under), name), 'utf8').replaceAll('=\r\n', ''));
