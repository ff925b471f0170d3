import { invalid } from '@pto/errors';
import { lineOfLife } from '@pto/order-steps';

/** The kinds of steps that change no more than one thing on the order, and their statuses. */
const permitted = {
  decline: ['ASSIGNED'],
  release_driver: ['DRIVER_ASSIGNED'],
  incident: lineOfLife.slice(1),
  escalation: lineOfLife.slice(1),
} as const satisfies Record<string, readonly string[]>;

/** `to` moves the order to a status; the other kinds send one command. */
export type StepKind = 'to' | keyof typeof permitted;

/** A step of a run. */
export interface Step {
  readonly kind: StepKind;
  /** The status of `to`, the note of `incident` and `escalation`; otherwise empty. */
  readonly value: string;
  /** Milliseconds after the step before. */
  readonly afterMs: number;
}

/** The plan of a run that a partner's script describes; any other plan is a scenario. */
export const scriptPlan = 'script';
export const stepsMax = 50;
export const delayMaxMs = 86_400_000;
const noteMax = 2000;

const hasNote = (kind: string): boolean => kind === 'incident' || kind === 'escalation';

/**
 * Returns the steps without the notes of the first `count`: a note can hold personal data, which an
 * erasure finds in the order alone (decision 70).
 */
export const withoutNotes = (steps: readonly Step[], count: number): readonly Step[] =>
  steps.map((step, n) => (n < count && hasNote(step.kind) ? { ...step, value: '' } : step));

/** Returns the kinds of steps that are possible in a status. */
export const actionsIn = (status: string): StepKind[] => {
  const here = lineOfLife.indexOf(status);
  const moves = here >= 0 && here < lineOfLife.length - 1;
  return [
    ...(moves ? (['to'] as const) : []),
    ...(Object.keys(permitted) as (keyof typeof permitted)[]).filter((kind) =>
      (permitted[kind] as readonly string[]).includes(status),
    ),
  ];
};

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
    if (kind !== 'to' && !Object.hasOwn(permitted, kind))
      throw invalid(at, 'unknown kind of step', kind);
    if (afterMs > delayMaxMs) throw invalid([...at, 'after'], 'expected at most 24h', afterMs);
    if (kind === 'to' && !lineOfLife.includes(value))
      throw invalid([...at, 'to'], `expected one of ${lineOfLife.join(', ')}`, value);
    const length = [...value].length;
    if (hasNote(kind) && (length < 1 || length > noteMax || value.includes('\0')))
      throw invalid([...at, kind], `expected 1 to ${noteMax} characters without NUL`);
    return { kind: kind as StepKind, value, afterMs };
  });
};
