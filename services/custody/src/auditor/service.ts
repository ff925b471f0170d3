import { openDatabase, sqlState } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Service } from '@pto/lifecycle';
import { openMailer } from '@pto/mail';
import type { Telemetry } from '@pto/telemetry';
import { backoffMs, startWorker } from '@pto/worker';
import { openAnchor } from '../anchor/open-anchor.ts';
import { oldestDelaySeconds } from '../verification/delay.ts';
import { ordersEvidence } from '../verification/orders-evidence.ts';
import type { AuditorSettings } from './config.ts';
import { auditorMetrics } from './metrics.ts';
import { auditPass } from './pass.ts';
import { createReporter } from './report.ts';
import { readState, writeState } from './state.ts';

/**
 * Starts the auditor: it audits the ledger continuously, with a database role that can only read.
 * Its own state is authenticated by an HMAC and stored outside the ledger's database. Every pass
 * audits what is new; a slow full audit reads all history again.
 */
export const startAuditor = async (
  settings: AuditorSettings,
  telemetry: Telemetry,
): Promise<Service> => {
  const { stateFile, stateKey, fullRate, pauseMs } = settings;
  let state = readState(stateFile, stateKey);
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const orders = {
    urls: settings.ordersUrls,
    tls: settings,
    telemetry,
  };
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
    unconfirmed: ({
      orderId,
      entryId,
      reason,
    }: {
      orderId: string;
      entryId: string;
      reason: string;
    }) => {
      metrics.unconfirmed.inc();
      telemetry.log.warn(
        { orderId, entryId, reason },
        'a second read did not confirm a contradiction',
      );
    },
  };

  let budget = 0;
  let budgetAt = performance.now();
  const runPass = async (stopping: AbortSignal) => {
    const now = performance.now();
    // the budget grows with the time since the last pass, but for at most a minute
    const earned = (fullRate * Math.min(now - budgetAt, 60_000)) / 1000;
    budgetAt = now;
    const spendable = Math.min(budget + earned, fullRate * 60);
    const pass = await auditPass({ ...auditing, stopping }, state, spendable);
    budget = Math.min(pass.budget, 0);
    // report before the state is stored: if the report fails, the next pass finds the violations
    // again
    if (pass.completed) await reporter.resolveOthers(pass.completed);
    const open = await reporter.report(pass.violations);
    if (JSON.stringify(pass.state) !== JSON.stringify(state))
      await writeState(stateFile, stateKey, pass.state);
    state = pass.state;
    metrics.passed(state, open, await oldestDelaySeconds(db, evidence));
    telemetry.log.info(
      {
        leaves: state.log.size,
        violations: pass.violations.length,
        open,
        fullPhase: state.full.phase,
        fullCompleted: pass.completed !== null,
      },
      'audit pass completed',
    );
  };

  const logUnfinished = (err: unknown): void => {
    // an unavailable dependency and a ledger that is not migrated yet are expected for a short
    // time, so they are logged at level info; the age of the last pass shows how long they last
    const isNews = !(err instanceof Failure && err.retryable) && sqlState(err) !== undefinedTable;
    telemetry.log[isNews ? 'warn' : 'info']({ err }, 'audit pass failed');
  };

  const worker = startWorker({
    tick: async (signal) => {
      await runPass(signal);
      return pauseMs;
    },
    failed: (err, failures) => {
      if (!worker.signal.aborted) logUnfinished(err);
      return Math.min(backoffMs(failures, retry), pauseMs);
    },
  });
  return {
    checks: { database: () => db.ping(), clock: db.checkClock },
    stop: async () => {
      await worker.stop();
      anchor.close();
      await db.close();
    },
  };
};

/** Pauses after failed passes. */
const retry = { firstMs: 1000, mostMs: 300_000 };

/** SQLSTATE of a table that does not exist: custody's migrations have not run yet. */
const undefinedTable = '42P01';
