import { randomUUID } from 'node:crypto';
import type { Database, Sql } from '@pto/database';
import { Counter, Gauge, type Telemetry } from '@pto/telemetry';
import { startWorker } from '@pto/worker';
import { NotCosigned, type Reason, reasons, submitNewest } from './submit.ts';
import { checkWitnesses, type Witness } from './witness-setting.ts';
import {
  addWitnesses,
  delayWitness,
  leaseWitness,
  releaseWitness,
  secondsBehind,
} from './witness-store.ts';

const idleMs = 500;

/**
 * Submits anchored checkpoints to every witness. Each witness has its own loop, so it delays
 * neither other witnesses nor signing and anchoring. Every replica runs the loops; a row lease
 * assigns each witness to one replica. Wake it when a checkpoint may have been anchored.
 * @throws ConfigError if a witness is configured twice, or for more than 16 witnesses.
 */
export const startSubmitter = async (
  db: Database,
  witnesses: readonly Witness[],
  telemetry: Telemetry,
) => {
  checkWitnesses(witnesses);
  if (witnesses.length === 0) return { wake: () => {}, stop: async () => {} };
  await addWitnesses(
    db,
    witnesses.map(({ key }) => key.vkey),
  );
  const failed = witnessMetrics(db, witnesses, telemetry);
  const loops = witnesses.map((witness) => startLoop(db, witness, failed, telemetry));
  return {
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
};

const startLoop = (
  db: Database,
  witness: Witness,
  failed: (name: string, reason: Reason) => void,
  { log }: Telemetry,
) => {
  const { name, vkey } = witness.key;
  const lease = randomUUID();
  let reported = '';

  const submit = async (signal: AbortSignal): Promise<void> => {
    try {
      await submitNewest(db, witness, signal);
      reported = '';
    } catch (error) {
      if (!(error instanceof NotCosigned)) throw error;
      if (signal.aborted) return;
      const { reason, message: detail } = error;
      failed(name, reason);
      // log every contradiction: the witness has seen another log. Log another failure only if it
      // differs from the last one
      if (reason === 'contradiction')
        log.error({ witness: name, detail }, 'a witness contradicts the log');
      else if (detail !== reported) log.warn({ witness: name, detail }, 'a witness did not cosign');
      reported = detail;
      await delayWitness(db, vkey);
    }
  };

  return startWorker({
    tick: async (signal) => {
      if (await leaseWitness(db, vkey, lease))
        await submit(signal).finally(() => releaseWitness(db, vkey, lease));
      return idleMs;
    },
    failed: (err) => {
      log.warn({ err, witness: name }, 'the submission to a witness failed');
      return idleMs;
    },
  });
};

/**
 * Creates the metrics of the witnesses.
 * @returns a function that counts a failed submission of this process.
 */
const witnessMetrics = (sql: Sql, witnesses: readonly Witness[], { metrics }: Telemetry) => {
  const failures = new Counter({
    name: 'custody_witness_failures_total',
    help: 'Submissions that a witness did not cosign, by this process',
    labelNames: ['witness', 'reason'],
    registers: [metrics],
  });
  for (const { key } of witnesses)
    for (const reason of reasons) failures.inc({ witness: key.name, reason }, 0);
  new Gauge({
    name: 'custody_witness_behind_seconds',
    help: 'Age of the oldest anchored checkpoint that is newer than all the witness cosigned',
    labelNames: ['witness'],
    registers: [metrics],
    async collect() {
      this.reset();
      const behind = await secondsBehind(sql).catch(() => new Map<string, number>());
      for (const { key } of witnesses) {
        const seconds = behind.get(key.vkey);
        if (seconds !== undefined) this.set({ witness: key.name }, seconds);
      }
    },
  });
  return (witness: string, reason: Reason) => failures.inc({ witness, reason });
};
