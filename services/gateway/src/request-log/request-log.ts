import { type Database, insertAll } from '@pto/database';
import { Failure } from '@pto/errors';
import { Counter, type Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import type { EndedRequest } from '../http/observer.ts';
import { tables } from '../schema/tables.ts';
import { createExcessRequests } from './excess-requests.ts';
import { type NewRequest, newRequest } from './new-request.ts';

const everyMs = 1000;
/** Rows of one statement. */
const batchMax = 1000;
/** Rows that wait for a statement: at least 2 s of a replica's highest rate. */
const waitingMax = 20_000;
/** Consecutive failures after which a batch is dropped. */
const failuresMax = 60;
/** Time in which a stopping replica writes the rows that wait, in ms. */
const lastFlushMs = 5000;

const insert = insertAll(tables, 'requests');
/** For a batch that may be stored, because only its confirmation was lost; costs twice as much. */
const insertAgain = insertAll(tables, 'requests', (rows) =>
  rows.onConflict((on) => on.doNothing()),
);

/**
 * Adds each request with a valid key to the log, in one statement per second for up to 1,000
 * requests, outside of the requests. If the database is unavailable or slower than the traffic,
 * 20,000 rows wait; further ones are dropped and counted. A process that is killed loses what waits.
 * @param names the names that the errors of rows show.
 */
export const startRequestLog = (
  db: Database,
  basePath: string,
  names: ReadonlySet<string>,
  telemetry: Telemetry,
): { record(ended: EndedRequest): void; stop(): Promise<void> } => {
  const { log } = telemetry;
  const dropped = new Counter({
    name: 'gateway_request_log_dropped_total',
    help: 'Requests that are missing in the log of requests, because the database did not store them',
    registers: [telemetry.metrics],
  });
  const excess = createExcessRequests();
  const waiting: NewRequest[] = [];
  let isRepeated = false;

  const add = (row: NewRequest): void => {
    if (waiting.length < waitingMax) waiting.push(row);
    else dropped.inc();
  };
  const drop = (count: number): void => dropped.inc(waiting.splice(0, count).length);
  const flush = async (until = Number.POSITIVE_INFINITY): Promise<void> => {
    while (waiting.length > 0 && performance.now() < until) {
      const batch = waiting.slice(0, batchMax);
      await (isRepeated ? insertAgain : insert)(db, batch);
      waiting.splice(0, batch.length);
      isRepeated = false;
    }
  };
  const worker = startWorker({
    firstPauseMs: everyMs,
    tick: async () => {
      excess.end().forEach(add);
      await flush();
      return everyMs;
    },
    failed: (err, failures) => {
      if (failures === 1) log.warn({ err }, 'cannot write the log of requests');
      isRepeated = true;
      if (!mayPass(err) || failures % failuresMax === 0) drop(batchMax);
      return everyMs;
    },
  });
  return {
    record: (ended) => {
      const row = newRequest(ended, basePath, names);
      if (row && (ended.exchange.isWithinBudget || excess.admit(row))) add(row);
    },
    stop: async () => {
      await worker.stop();
      excess.end(true).forEach(add);
      await flush(performance.now() + lastFlushMs).catch((err) => {
        log.warn({ err, requests: waiting.length }, 'the last requests are not in the log');
      });
      drop(waiting.length);
    },
  };
};

const mayPass = (error: unknown): boolean =>
  error instanceof Failure &&
  (error.kind === 'SERVICE_UNAVAILABLE' || error.kind === 'DEADLINE_EXCEEDED');
