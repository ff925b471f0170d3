import { randomUUID } from 'node:crypto';
import type { Database } from '@pto/database';
import type { Telemetry } from '@pto/telemetry';
import { startWorker, type Worker } from '@pto/worker';
import { post, Unreachable } from './post.ts';
import { type Outcome, submitNewest } from './submit.ts';
import { type Reason, witnessMetrics } from './witness-metrics.ts';
import { checkWitnesses, type Witness } from './witness-setting.ts';
import { addWitnesses, delayWitness, leaseWitness, releaseWitness } from './witness-store.ts';

const idleMs = 500;

export interface Submitter {
  /** Ends the pauses of all loops. Call it when a checkpoint may have been anchored. */
  readonly wake: () => void;
  stop(): Promise<void>;
}

/**
 * Submits anchored checkpoints to every witness. Each witness has its own loop, so it delays
 * neither other witnesses nor signing and anchoring. Every replica runs the loops; a row lease
 * assigns each witness to one replica.
 * @throws ConfigError if a witness is configured twice, or for more than 16 witnesses.
 */
export const startSubmitter = async (
  db: Database,
  witnesses: readonly Witness[],
  telemetry: Telemetry,
): Promise<Submitter> => {
  checkWitnesses(witnesses);
  if (witnesses.length === 0) return { wake: () => {}, stop: async () => {} };
  await addWitnesses(
    db,
    witnesses.map(({ key }) => key.vkey),
  );
  const failed = witnessMetrics(db, witnesses, telemetry);
  const loops = witnesses.map((witness) => startLoop({ db, witness, failed, telemetry }));
  return {
    wake: () => {
      for (const loop of loops) loop.wake();
    },
    stop: async () => {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
};

interface LoopOptions {
  readonly db: Database;
  readonly witness: Witness;
  readonly failed: (witness: Witness, reason: Reason) => void;
  readonly telemetry: Telemetry;
}

const startLoop = ({ db, witness, failed, telemetry }: LoopOptions): Worker => {
  const { name, vkey } = witness.key;
  const lease = randomUUID();
  let reported: string | null = null;

  const report = (reason: Reason, detail: string) => {
    failed(witness, reason);
    const message = `${reason}: ${detail}`;
    // log every contradiction: the witness has seen another log. Log another failure only if its
    // message differs from the last one
    if (reason === 'contradiction')
      telemetry.log.error({ witness: name, detail }, 'a witness contradicts the log');
    else if (message !== reported)
      telemetry.log.warn({ witness: name, detail }, 'a witness did not cosign');
    reported = message;
  };

  const submit = async (signal: AbortSignal): Promise<void> => {
    const outcome = await submitNewest(db, witness, (body) =>
      post(witness.url, body, signal),
    ).catch((error): Outcome | { kind: 'unreachable'; detail: string } => {
      if (error instanceof Unreachable) return { kind: 'unreachable', detail: error.message };
      throw error;
    });
    if (signal.aborted || outcome.kind === 'ahead') return;
    if (outcome.kind === 'cosigned') {
      reported = null;
      return;
    }
    report(outcome.kind, outcome.detail);
    await delayWitness(db, vkey);
  };

  return startWorker({
    tick: async (signal) => {
      if (await leaseWitness(db, vkey, lease))
        await submit(signal).finally(() => releaseWitness(db, vkey, lease));
      return idleMs;
    },
    failed: (err) => {
      telemetry.log.warn({ err, witness: name }, 'the submission to a witness failed');
      return idleMs;
    },
  });
};
