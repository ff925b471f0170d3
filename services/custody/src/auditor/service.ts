import { backoffMs } from '@pto/bus';
import { openDatabase, sqlState } from '@pto/database';
import { Failure } from '@pto/errors';
import type { Service } from '@pto/lifecycle';
import { openMailer } from '@pto/mail';
import { CustodyEvidenceService } from '@pto/proto/orders/v1/commands';
import { connectClient } from '@pto/rpc';
import { Counter, Gauge, type Telemetry } from '@pto/telemetry';
import { openAnchor } from '../anchor/open-anchor.ts';
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

  const unfinished = (err: unknown): void => {
    // a neighbour that is away for a moment, or a ledger that is still to be made, is no news; the
    // age of the last pass tells if it lasts
    const isNews = !(err instanceof Failure && err.retryable) && sqlState(err) !== undefinedTable;
    telemetry.log[isNews ? 'warn' : 'info']({ err }, 'a pass was not finished');
  };

  const run = async () => {
    for (let failures = 0; !stopping.signal.aborted; ) {
      await turn().then(
        () => {
          failures = 0;
        },
        (err) => {
          failures++;
          if (!stopping.signal.aborted) unfinished(err);
        },
      );
      // a pass that broke off is not left until the next one is due
      const restMs = failures > 0 ? backoffMs(failures, again) : settings.pauseMs;
      await pause(Math.min(restMs, settings.pauseMs), stopping.signal);
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

/** A pass over a long ledger is work; so one that breaks off again and again is made less often. */
const again = { firstMs: 1000, mostMs: 300_000 };

/** PostgreSQL's code for what custody's migrations have not made yet. */
const undefinedTable = '42P01';

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
  const faults = new Gauge({
    name: 'custody_faults',
    help: 'Faults that the last full pass found; missing until one has ended',
    registers,
  });
  // a 0 behind a restart would end an alert that still holds
  faults.remove();
  return {
    entries: new Counter({
      name: 'custody_verified_entries_total',
      help: 'Entries whose hash was recomputed',
      registers,
    }),
    faults,
    passed: () => {
      last = Date.now();
    },
  };
};
