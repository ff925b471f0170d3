import { wait } from '../../../typescript/src/http/retry.ts';
import { sampleOrder } from '../sample-order.ts';
import { type Seen, Unmet } from './check.ts';
import type { Trial } from './trial.ts';

/** Maximum time in ms until a checkpoint covers an order; a checkpoint is at most a second away. */
const coverMaxMs = 60_000;
const pauseMs = 500;

/**
 * Returns the proof file of an order as soon as a checkpoint covers it: before, a verifier with
 * trusted keys rejects it.
 * @throws Unmet after 60 s, the reason of the signal.
 */
export const coveredProof = async ({ client, signal }: Trial, id: string): Promise<string> => {
  for (const end = performance.now() + coverMaxMs; performance.now() < end; ) {
    const text = await client.orders.custodyProof(id, { signal });
    if ((JSON.parse(text) as { log: unknown }).log !== null) return text;
    await wait(pauseMs, signal);
  }
  throw new Unmet(`no checkpoint covered the order ${id} within ${coverMaxMs / 1000} s`);
};

/** Creates an order of the scenario `tampered_proof`. Returns its proof file. @throws Unmet */
export const tamperedProof = async (trial: Trial, seen: Seen): Promise<string> => {
  const { client, reference, signal } = trial;
  const external_id = `${reference}-tampered-${seen.name}`;
  const { id } = await client.orders.create(
    { ...sampleOrder, external_id },
    { sandboxCourier: 'tampered_proof', sandboxStep: '0s', signal },
  );
  seen.orders.push(id);
  await requireRun(trial, id);
  return coveredProof(trial, id);
};

/** @throws Unmet if the courier does not move an order. */
export const requireRun = async ({ client, signal }: Trial, id: string): Promise<void> => {
  const { run } = await client.sandbox.steps(id, { signal });
  if (!run) throw new Unmet('the courier of the sandbox is unavailable: repeat the command later');
};
