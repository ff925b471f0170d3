import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@pto/lifecycle';
import { Counter, Gauge, sampledGauges, type Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import { haltIfCut } from '../log/halt-if-cut.ts';
import { integrate, integrateMax } from '../log/integrate.ts';
import { deleteSuperseded } from '../order-index/order-index.ts';
import { buildIndex, checkpoint, type Signing } from './checkpoints.ts';
import { checkpointAges, type LogSizes, logSizes } from './stored-checkpoints.ts';

/** Time to wait for more entries before a batch is added to the log, in ms. */
const lingerMs = 100;
const idleMs = 500;
/** Maximum duration of a sample for a metric, in ms. */
const sampleTimeoutMs = 1000;
/**
 * Minimum time between two reads of the anchor while the newest checkpoint covers all leaves, in
 * ms. A call of the anchor may cost money.
 */
const anchorRestMs = 5000;

/**
 * Adds queued entries to the log and signs checkpoints. Every replica runs a sequencer; a lock lets
 * one work at a time. Wake it after entries were committed, so that they get their leaves.
 * @param events.placed called when entries got their leaves, so that waiting readers get them.
 * @param events.anchored called when a checkpoint may have been anchored, so that witnesses receive
 *   it at once.
 */
export const startSequencer = (
  signing: Signing,
  telemetry: Telemetry,
  events: { readonly placed: () => void; readonly anchored: () => void },
): Worker & { unanchoredSeconds(): number } => {
  const registers = [telemetry.metrics];
  const leaves = new Counter({
    name: 'custody_log_leaves_total',
    help: 'Entries that took their place in the log, by this process',
    registers,
  });
  const halted = new Gauge({
    name: 'custody_log_halted',
    help: '1 while the log contradicts what was signed or anchored before, and so does not grow',
    registers,
  });
  const ages = sampledGauges(telemetry.metrics, () =>
    within(sampleTimeoutMs, 'the checkpoints', checkpointAges(signing.db)).catch(() => null),
  );
  ages(
    'custody_log_checkpoint_age_seconds',
    'Age of the newest checkpoint; it grows while there are no new entries',
    'newest',
  );
  ages(
    'custody_log_anchor_age_seconds',
    'Age of the newest anchored checkpoint; it grows while there are no new entries',
    'anchored',
  );
  const unanchored = watchUnanchored(telemetry);
  let anchorRestsUntil = 0;
  const pauseOf = checkpointPause(signing.intervalMs);
  /** Whether the last call of `checkpoint` did not fail: nothing waits to be anchored again. */
  let isAnchored = false;
  let reported: string | null = null;

  const placeAll = async (signal: AbortSignal): Promise<void> => {
    for (let count = integrateMax; count === integrateMax && !signal.aborted; leaves.inc(count)) {
      count = await integrate(signing.db);
      if (count > 0) events.placed();
    }
  };

  const tick = async (signal: AbortSignal): Promise<number> => {
    const failure: Error | null = await placeAll(signal).then(
      () => null,
      (error) => error,
    );
    const sizes = await logSizes(signing.db);
    if (!failure) {
      if (sizes.leaves === sizes.signed && performance.now() < anchorRestsUntil) return idleMs;
      const earlyMs = pauseOf(sizes);
      if (earlyMs > 0 && isAnchored) return Math.max(0, earlyMs - lingerMs);
    }
    isAnchored = false;
    while (!signal.aborted && (await buildIndex(signing.db)));
    const reason = (await checkpoint(signing)) ?? (failure && (await haltIfCut(signing.db)));
    events.anchored();
    halted.set(reason === null ? 0 : 1);
    const after = await logSizes(signing.db);
    unanchored.anchored(after);
    isAnchored = true;
    anchorRestsUntil = reason === null ? performance.now() + anchorRestMs : 0;
    if (reason !== null && reason !== reported)
      telemetry.log.error({ reason }, 'the log contradicts a checkpoint: nothing is appended');
    reported = reason;
    // entries that find no place in a log that contradicts what was signed do not hide that
    if (failure && reason === null) throw failure;
    await deleteSuperseded(signing.db);
    const pauseMs = pauseOf(after);
    return pauseMs > 0 ? Math.max(0, pauseMs - lingerMs) : idleMs;
  };

  const worker = startWorker({
    tick,
    failed: (err) => {
      unanchored.failed();
      anchorRestsUntil = 0;
      telemetry.log.warn({ err }, 'the log could not be extended or signed, will be retried');
      return idleMs;
    },
    rest: async (ms, wait, signal) => {
      await wait(ms);
      if (!signal.aborted) await sleep(lingerMs);
    },
  });
  return { ...worker, unanchoredSeconds: unanchored.seconds };
};

/**
 * Measures how long leaves have waited for a signed and anchored checkpoint that covers them.
 * `anchored` ends the wait if `sizes.signed` covers its leaves, and begins a wait if the log has
 * leaves that no checkpoint covers: call it when all checkpoints are anchored. `failed` begins a
 * wait if none is in progress: call it when it is unknown which checkpoints are anchored.
 */
export const watchUnanchored = ({ metrics }: Telemetry) => {
  /**
   * Time of `performance.now()` at which the wait began, and the number of leaves of the log at
   * that time: a checkpoint that covers them ends the wait. Null if no leaf waits.
   */
  let waiting: { leaves: number; since: number } | null = null;
  const seconds = () => (waiting ? (performance.now() - waiting.since) / 1000 : 0);
  new Gauge({
    name: 'custody_log_unanchored_seconds',
    help: 'How long entries have waited for a checkpoint over them outside of the database',
    registers: [metrics],
    collect() {
      this.set(seconds());
    },
  });
  return {
    /** Returns for how many seconds leaves have waited; 0 if none waits. */
    seconds,
    anchored: ({ leaves, signed }: LogSizes): void => {
      if (waiting && signed >= waiting.leaves) waiting = null;
      if (leaves > signed) waiting ??= { leaves, since: performance.now() };
    },
    failed: (): void => {
      waiting ??= { leaves: 0, since: performance.now() };
    },
  };
};

/**
 * Maximum pause in ms. A contradiction between the log and a signed checkpoint is found after at most
 * this time, however rarely checkpoints are signed.
 */
const pauseMaxMs = 1000;

/**
 * Returns a function that tells how long no checkpoint can be signed, because the newest one, of
 * whichever replica, is younger than the interval. A sequencer need not read the anchor before, and
 * signs as soon as the time has passed.
 * @param intervalMs minimum time between two checkpoints.
 */
export const checkpointPause = (intervalMs: number, now = () => performance.now()) => {
  let known: number | null = null;
  let endsAt = Number.NEGATIVE_INFINITY;
  /**
   * Returns the time in ms, 0 if a checkpoint may be signed now or no leaf waits for one. Call it
   * with the newest sizes: the pause begins when it first sees a checkpoint over more leaves.
   */
  return ({ leaves, signed }: LogSizes): number => {
    if (known !== null && signed > known) endsAt = now() + Math.min(intervalMs, pauseMaxMs);
    known = signed;
    return leaves > signed ? Math.max(0, endsAt - now()) : 0;
  };
};
