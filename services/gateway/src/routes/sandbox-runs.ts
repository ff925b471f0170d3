import type { Backends, CellCall } from '../backends.ts';
import { durationOf, type SandboxHeaders, sandboxScenarios } from '../resources/sandbox.ts';

type Courier = NonNullable<Backends['courier']>;

/** Longest time of a request that waits for the courier beside its own work. */
const courierMaxMs = 2000;

const callBy = (call: CellCall): CellCall => ({
  ...call,
  deadline: Math.min(call.deadline, performance.now() + courierMaxMs),
});

/**
 * Returns the scenario that a request to create an order asks for: that of its header, or of an
 * `external_id` that begins with `sandbox-SCENARIO-`. Undefined: none.
 */
const scenarioOf = (
  headers: SandboxHeaders | undefined,
  externalId: string | null,
): string | undefined =>
  headers?.['X-Sandbox-Courier'] ??
  sandboxScenarios.find((scenario) => externalId?.startsWith(`sandbox-${scenario}-`));

/**
 * Starts the run of a created order, if the request asks for one. An order that has a run, as after
 * an idempotent replay, keeps it. The order exists, so nothing of this fails its creation.
 * @param createdBody the order's JSON
 * @returns the headers of the response
 */
export const startSandboxRun = async (
  courier: Courier | undefined,
  {
    header,
    body,
    organizationId,
    call,
  }: {
    readonly header: SandboxHeaders | undefined;
    readonly body: { readonly external_id: string | null };
    readonly organizationId: string;
    readonly call: CellCall;
  },
  createdBody: Uint8Array,
): Promise<Readonly<Record<string, string>>> => {
  const name = courier && scenarioOf(header, body.external_id);
  if (!name) return {};
  const { id: orderId } = JSON.parse(Buffer.from(createdBody).toString()) as { id: string };
  const stepMs = durationOf(header?.['X-Sandbox-Step'] ?? '30s');
  const plan = { case: 'scenario', value: { name, stepMs } } as const;
  try {
    await courier.startRun({ organizationId, orderId, plan, unlessStarted: true }, callBy(call));
    return {};
  } catch {
    return { 'X-Sandbox-Courier': 'unavailable' };
  }
};

/**
 * Returns whether the proof file of an order is to be changed: its run is of the scenario
 * `tampered_proof`. False while the courier is unavailable, so that proofs do not depend on it.
 */
export const isProofTampered = async (
  courier: Courier | undefined,
  organizationId: string,
  orderId: string,
  call: CellCall,
): Promise<boolean> => {
  if (!courier) return false;
  try {
    const { run } = await courier.listSteps({ organizationId, orderId }, callBy(call));
    return run?.plan === 'tampered_proof';
  } catch {
    return false;
  }
};

/** Returns a proof file whose first entry has another time, so that its hash does not match. */
export const withTamperedEntry = <Entry extends { readonly ts_utc: string }, Proof extends object>(
  proof: Proof & { readonly entries: readonly Entry[] },
): Proof & { readonly entries: readonly Entry[] } => ({
  ...proof,
  entries: proof.entries.map((entry, n) =>
    n === 0 ? { ...entry, ts_utc: new Date(Date.parse(entry.ts_utc) + 1).toISOString() } : entry,
  ),
});
