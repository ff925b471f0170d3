import { openDatabase } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Service } from '@pto/lifecycle';
import { openMailer } from '@pto/mail';
import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import { connectClient } from '@pto/rpc';
import { Counter, Gauge, type Telemetry } from '@pto/telemetry';
import { openAnchor } from '../log/open-anchor.ts';
import { ordersEvidence } from '../verification/orders-evidence.ts';
import { createAlarm } from './alarm.ts';
import { audit } from './audit.ts';
import type { AuditorSettings } from './config.ts';
import { recall, remember } from './memory.ts';

/**
 * Walks the whole ledger again and again, with a role that can only read, and a memory of its own
 * outside of the ledger's database.
 */
export const startAuditor = async (
  settings: AuditorSettings,
  telemetry: Telemetry,
): Promise<Service> => {
  let memory = recall(settings.stateFile);
  const db = await openDatabase({ ...settings, url: settings.databaseUrl, telemetry });
  const orders = {
    urls: settings.ordersUrls,
    operatorToken: settings.operatorToken,
    tls: settings,
    telemetry,
  };
  const evidence = ordersEvidence(orders);
  const reports = connectClient(CustodyEvidenceService, orders);
  const tell = createAlarm({
    mailer: openMailer(settings),
    to: settings.operatorMail,
    mark: async (orderId, reason) => {
      await reports.reportFault({ orderId, reason });
    },
    telemetry,
  });
  const metrics = auditorMetrics(telemetry);
  const stopping = new AbortController();
  const anchor = await openAnchor(settings);

  const turn = async () => {
    const deps = { sql: db, evidence, anchor };
    const pass = await audit(deps, memory, (n) => metrics.entries.inc(n), stopping.signal);
    metrics.faults.set(pass.faults.length);
    if (pass.memory.note !== memory.note) await remember(settings.stateFile, pass.memory);
    memory = pass.memory;
    await tell(pass.faults);
    metrics.passed();
    const { orders: chains, entries, leaves, faults } = pass;
    telemetry.log.info({ chains, entries, leaves, faults: faults.length }, 'a pass has ended');
  };

  const run = async () => {
    while (!stopping.signal.aborted) {
      await turn().catch((err) => {
        if (stopping.signal.aborted) return;
        // a neighbour that is away for a moment is no news; the age of the last pass tells if it lasts
        const level = err instanceof Failure && err.retryable ? 'info' : 'warn';
        telemetry.log[level]({ err }, 'a pass was not finished');
      });
      await pause(settings.pauseMs, stopping.signal);
    }
  };
  const running = run();
  return {
    checks: { database: () => db.ping() },
    stop: async () => {
      stopping.abort(new Error('stopping'));
      await running;
      anchor.close();
      await db.close();
    },
  };
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

const auditorMetrics = (telemetry: Telemetry) => {
  const registers = [telemetry.metrics];
  const begun = Date.now();
  let last = begun;
  const age = new Gauge({
    name: 'custody_audit_age_seconds',
    help: 'Since the last full pass ended, or since the start',
    registers,
    collect() {
      this.set((Date.now() - last) / 1000);
    },
  });
  age.reset();
  return {
    entries: new Counter({
      name: 'custody_verified_entries_total',
      help: 'Entries whose hash was recomputed',
      registers,
    }),
    faults: new Gauge({
      name: 'custody_faults',
      help: 'Faults that the last full pass found',
      registers,
    }),
    passed: () => {
      last = Date.now();
    },
  };
};
