import { invalid } from '@pto/errors';
import {
  nextCommandOf,
  type OrderCommand,
  orderCommands,
  statusPath,
} from '@pto/proto/order-commands';

/** The commands of the kinds of steps that change no more than one thing on the order. */
const commandOf = {
  decline: orderCommands.decline,
  release_driver: orderCommands.releaseDriver,
  incident: orderCommands.incident,
  escalation: orderCommands.escalate,
} as const satisfies Record<string, OrderCommand>;

/**
 * `to` moves the order to a status, and `office` without the driver's phone; the other kinds send one
 * command. Those of the second line are steps of scenarios alone.
 */
export type StepKind = 'to' | keyof typeof commandOf | ScenarioKind;
type ScenarioKind = 'office' | 'late_start' | 'late_arrival' | 'revoke' | 'wrong_code' | 'code';

/** A step of a run. */
export interface Step {
  readonly kind: StepKind;
  /** The status of `to` and `office`, a note, or the stage of a code; otherwise empty. */
  readonly value: string;
  /** Milliseconds after the step before. */
  readonly afterMs: number;
}

/** The plan of a run that a partner's script describes; any other plan is a scenario. */
export const scriptPlan = 'script';
export const stepsMax = 50;
export const delayMaxMs = 86_400_000;
const [{ max: noteMax }] = orderCommands.incident.fields;

const hasNote = (kind: string): boolean => kind === 'incident' || kind === 'escalation';

/**
 * Returns the steps without the notes of the first `count`: a note can hold personal data, which an
 * erasure finds in the order alone (decision 70).
 */
export const withoutNotes = (steps: readonly Step[], count: number): readonly Step[] =>
  steps.map((step, n) => (n < count && hasNote(step.kind) ? { ...step, value: '' } : step));

/** Returns the kinds of steps that are possible in a status; a run takes none of a CANCELLED order. */
export const actionsIn = (status: string): StepKind[] => [
  ...(nextCommandOf(status) ? (['to'] as const) : []),
  ...(Object.keys(commandOf) as (keyof typeof commandOf)[]).filter(
    (kind) =>
      statusPath.includes(status) &&
      (commandOf[kind].change.from as readonly string[]).includes(status),
  ),
];

/**
 * Returns the steps of a partner's script.
 * @throws Failure VALIDATION with the place of the first fault in the request's body.
 */
export const readScript = (
  steps: readonly { readonly kind: string; readonly value: string; readonly afterMs: number }[],
): Step[] => {
  const loc = ['body', 'script'];
  if (steps.length < 1 || steps.length > stepsMax)
    throw invalid(loc, `expected 1 to ${stepsMax} steps`);
  return steps.map(({ kind, value, afterMs }, n) => {
    const at = [...loc, n];
    if (kind !== 'to' && !Object.hasOwn(commandOf, kind))
      throw invalid(at, 'unknown kind of step', kind);
    if (afterMs > delayMaxMs) throw invalid([...at, 'after'], 'expected at most 24h', afterMs);
    if (kind === 'to' && !statusPath.includes(value))
      throw invalid([...at, 'to'], `expected one of ${statusPath.join(', ')}`, value);
    const length = [...value].length;
    if (hasNote(kind) && (length < 1 || length > noteMax || value.includes('\0')))
      throw invalid([...at, kind], `expected 1 to ${noteMax} characters without NUL`);
    return { kind: kind as StepKind, value, afterMs };
  });
};
