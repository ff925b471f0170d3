import { invalid } from '@pto/errors';
import { statusPath } from '@pto/proto/order-commands';
import { delayMaxMs, type Step, type StepKind } from './steps.ts';

type Timeless = readonly [kind: StepKind, value?: string];

/** The statuses through which a run moves an order. A DRAFT waits until it is submitted. */
const statuses = statusPath.slice(statusPath.indexOf('ASSIGNED'));
const moves = statuses.map((status): Timeless => ['to', status]);

/** Returns the moves with steps after the move to a status. */
const withAfter = (status: string, ...more: readonly Timeless[]): Timeless[] =>
  moves.flatMap((move) => (move[1] === status ? [move, ...more] : [move]));

const upTo = (status: string) => moves.slice(0, statuses.indexOf(status) + 1);
const since = (status: string) => moves.slice(statuses.indexOf(status) + 1);

/** How many times as long as the other steps late ones take, by scenario. */
const lateFactor = 10;
const lateSteps: Readonly<Record<string, string>> = {
  late_seal: 'to SEALED',
  offline_gap: 'late_start ',
};

/** The steps of each scenario (decision 64). */
const scenarios: Readonly<Record<string, readonly Timeless[]>> = {
  auto: moves,
  decline: withAfter('ASSIGNED', ['decline'], ['to', 'ASSIGNED']),
  driver_dropped: withAfter('DRIVER_ASSIGNED', ['release_driver'], ['to', 'DRIVER_ASSIGNED']),
  incident: withAfter('IN_TRANSIT', ['incident', 'The vehicle was in a minor accident.']),
  escalation: withAfter('IN_TRANSIT', ['escalation', 'The delivery is at risk of being delayed.']),
  late_seal: moves,
  // the run is ordinary; the gateway changes the proof file
  tampered_proof: moves,
  // the phone has no network when the transport starts, and the office records it meanwhile
  offline_gap: [
    ...upTo('SEALED'),
    ...([['office', 'IN_TRANSIT'], ['late_start'], ['late_arrival']] as const),
    ...since('IN_TRANSIT'),
  ],
  // the wards say the codes of their pages, and the driver mistypes one
  handover_code: [
    ...upTo('SEALED'),
    ['code', 'pickup'],
    ['to', 'IN_TRANSIT'],
    ['wrong_code', 'dropoff'],
    ['code', 'dropoff'],
    ...since('IN_TRANSIT'),
  ],
  // the phone was lost when it sealed the goods; from then on the office records
  revoked_device: [
    ...upTo('SEALED'),
    ['revoke'],
    ...since('SEALED').map(([, to = '']): Timeless => ['office', to]),
  ],
};

/**
 * Returns the steps of a scenario.
 * @param stepMs milliseconds before each step, at most 24 h.
 * @throws Failure VALIDATION for an unknown name or a longer pause.
 */
export const scenarioSteps = (name: string, stepMs: number): Step[] => {
  const steps = Object.hasOwn(scenarios, name) ? scenarios[name] : undefined;
  if (!steps)
    throw invalid(
      ['header', 'X-Sandbox-Courier'],
      `expected one of ${Object.keys(scenarios).join(', ')}`,
    );
  if (stepMs > delayMaxMs) throw invalid(['header', 'X-Sandbox-Step'], 'expected at most 24h');
  return steps.map(([kind, value = '']) => {
    const isLate = lateSteps[name] === `${kind} ${value}`;
    return { kind, value, afterMs: Math.min(delayMaxMs, isLate ? stepMs * lateFactor : stepMs) };
  });
};
