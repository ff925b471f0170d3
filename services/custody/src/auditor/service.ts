import { openDatabase, sqlState } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Service } from '@pto/lifecycle';
import { openMailer } from '@pto/mail';
import { AuditKind } from '@pto/proto/orders/v1/violations';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs, startWorker } from '@pto/worker';
import { openAnchor } from '../anchor/open-anchor.ts';
import { oldestDelaySeconds, ordersEvidence } from '../verification/orders-evidence.ts';
import type { Violation } from '../verification/violation.ts';
import { fullAuditPass } from './audit-all.ts';
import { newEntriesPass } from './audit-new.ts';
import type { AuditorSettings } from './config.ts';
import { auditorMetrics } from './metrics.ts';
import { createReporter } from './report.ts';
import { auditSchedule } from './schedule.ts';
import { foundMax, openState, type Pass, writeState } from './state.ts';

/**
 * Starts the auditor: it audits the ledger continuously, with a database role that can only read.
 * Its own state is authenticated by an HMAC and stored outside the ledger's database. New entries
 * are audited at intervals; between these audits a slow full audit reads all history again, page by
 * page.
 */
export const startAuditor = async (
  settings: AuditorSettings,
  telemetry: Telemetry,
): Promise<Service> => {
  const { stateFile, stateKeys, pauseMs } = settings;
  let stored = await openState(stateFile, stateKeys);
  let state = stored;
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const orders = { urls: settings.ordersUrls, tls: settings, telemetry };
  const evidence = ordersEvidence(orders);
  const reporter = createReporter({
    mailer: openMailer(settings),
    to: settings.operatorMail,
    orders,
    telemetry,
  });
  const metrics = auditorMetrics(telemetry, state);
  const anchor = await openAnchor(settings);
  const auditing = {
    db,
    evidence,
    anchor,
    verified: (entries: number) => metrics.entries.inc(entries),
    unconfirmed: (violation: Violation) => {
      metrics.unconfirmed.inc();
      telemetry.log.warn({ ...violation }, 'a second read did not confirm a contradiction');
    },
  };

  const schedule = auditSchedule(settings);
  let newest: readonly Violation[] = [];

  /** Reports the violations, then stores the state: if the report fails, they are found again. */
  const settle = async (pass: Pass, kind?: AuditKind): Promise<void> => {
    if (pass.completed) await reporter.resolveOthers(pass.completed);
    const found = pass.isComplete ? (pass.completed?.length ?? foundMax) : pass.violations.length;
    const completed = kind === undefined ? undefined : { kind, violations: found };
    const open = await reporter.report(pass.violations, completed);
    if (JSON.stringify(pass.state) !== JSON.stringify(stored)) {
      await writeState(stateFile, stateKeys, pass.state);
      stored = pass.state;
    }
    state = pass.state;
    metrics.settled(state, open);
    const { log, full } = state;
    const [violations, fullCompleted] = [pass.violations.length, pass.isComplete];
    telemetry.log.info(
      { leaves: log.size, violations, open, fullPhase: full.phase, fullCompleted },
      'audit pass completed',
    );
  };

  const auditNewEntries = async (stopping: AbortSignal): Promise<void> => {
    const pass = await newEntriesPass({ ...auditing, stopping }, state);
    await settle(pass, AuditKind.NEW_ENTRIES);
    newest = pass.violations;
    metrics.verifiedNew(await oldestDelaySeconds(db, evidence));
    schedule.newEntriesAudited();
  };

  const auditFullPage = async (stopping: AbortSignal): Promise<void> => {
    const begunAt = performance.now();
    const pass = await fullAuditPass({ ...auditing, stopping }, state, newest);
    if (pass.isComplete) await settle(pass, AuditKind.FULL);
    else if (pass.violations.length > 0) await settle(pass);
    else state = pass.state;
    schedule.pageAudited(begunAt, pass);
  };

  const logUnfinished = (err: unknown): void => {
    // an unavailable dependency and a ledger that is not migrated yet are expected for a short
    // time, so they are logged at level info; the age of the last pass shows how long they last
    const isNews = !(err instanceof Failure && err.retryable) && sqlState(err) !== undefinedTable;
    telemetry.log[isNews ? 'warn' : 'info']({ err }, 'audit pass failed');
  };

  const worker = startWorker({
    tick: async (signal) => {
      await (schedule.areNewEntriesDue() ? auditNewEntries : auditFullPage)(signal);
      return schedule.waitMs();
    },
    failed: (err, failures) => {
      if (!worker.signal.aborted) logUnfinished(err);
      return Math.min(backoffMs(failures, retry), pauseMs);
    },
  });
  return {
    checks: { database: () => db.ping('reads'), clock: db.checkClock },
    stop: async () => {
      await worker.stop();
      anchor.close();
      await db.close();
    },
  };
};

const retry = { firstMs: 1000, mostMs: 300_000 };

/** SQLSTATE of a table that does not exist: custody's migrations have not run yet. */
const undefinedTable = '42P01';
