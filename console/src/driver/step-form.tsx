import { type FormEvent, type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react';
import { isSignedOut } from '../calls/failure.ts';
import { t } from '../parts/words.ts';
import { ConditionFields } from './condition-fields.tsx';
import { type FormKey, keepDraft } from './draft.ts';
import { ExpectedTime } from './expected-time.tsx';
import { textOf } from './failure-words.ts';
import { HandoverFields } from './handover-fields.tsx';
import { IncidentFields } from './incident-fields.tsx';
import type { Next } from './next-step.ts';
import { newestPosition } from './position.ts';
import { reasonOf } from './reason.ts';
import { addRecord, type OfOrder } from './records.ts';
import { SealFields } from './seal-fields.tsx';
import { doIt } from './step-words.ts';
import type { Step } from './steps.ts';

/** What a step's form needs. */
export interface StepProps extends OfOrder {
  readonly next: Next;
}

/** Makes the step of a filled form; a text says what is missing. */
export type MakeStep = (fields: FormData) => Promise<Step | string>;

/** A second tap of a double one comes within this time, in ms, and hits the button of the next step. */
const doubleTapMs = 700;

/** The form of one step, and the large button in the thumb's reach. */
export const StepForm = ({
  name,
  onDone,
  onCancel,
  children: below,
  ...of
}: StepProps & {
  /** Names the step of the order, and the form that the phone keeps. */
  name: string;
  onDone: () => void;
  /** What stands between the fields and the button. */
  children: ReactNode;
  /** Absent: it is the step that comes. */
  onCancel?: (() => void) | undefined;
}) => {
  const { next, known, records, shift } = of;
  const [isReady, setReady] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [problem, setProblem] = useState('');
  const form = useRef<HTMLFormElement>(null);
  const [id, key] = [useId(), [shift.driverId, known.id, name] as FormKey];
  // biome-ignore lint/correctness/useExhaustiveDependencies: another step is another form
  useLayoutEffect(() => {
    scrollTo(0, 0); // another step begins with its fields
    const timer = setTimeout(() => setReady(true), doubleTapMs);
    const stop = keepDraft(form.current!, key);
    return () => {
      clearTimeout(timer);
      stop(); // before the fields leave the page: a field with the focus changes then
    };
  }, []);
  const record = async (made: Step | string) => {
    if (typeof made === 'string') return setProblem(made);
    if (await addRecord(known, shift, made, newestPosition(), records, key)) return onDone();
    setProblem(t('This order has just got another record. Look at it, then press again.'));
  };
  const submit = async (event: FormEvent<HTMLFormElement>, make: MakeStep) => {
    event.preventDefault();
    // a photo may still be made smaller
    if (!isReady || event.currentTarget.querySelector('[aria-busy=true]')) return;
    if (next.name === 'deliver' && !isConfirming) return setConfirming(true);
    const fields = new FormData(event.currentTarget);
    setReady(false);
    setProblem('');
    await make(fields)
      .then(record)
      .catch((error) =>
        setProblem(isSignedOut(error) ? textOf(reasonOf(error)) : t('Not recorded. Press again.')),
      )
      .finally(() => setReady(true));
  };
  const frame = (children: ReactNode, make: MakeStep) => (
    <>
      <form id={id} ref={form} onSubmit={(event) => void submit(event, make)}>
        {children}
      </form>
      {below}
      <div className="reach">
        {problem !== '' && (
          <p className="error" role="alert">
            {problem}
          </p>
        )}
        {isConfirming && <p>{t('You hand over the goods. This cannot be taken back.')}</p>}
        <button type="submit" form={id} aria-disabled={!isReady}>
          {isConfirming ? t('Yes, delivered') : doIt(next)}
        </button>
        {next.name === 'arrive' && <ExpectedTime known={known} stop={next.stop} />}
        {/* below: the second of two quick taps ends here, and not at "Yes" */}
        {(isConfirming || onCancel) && (
          <button
            type="button"
            className="quiet"
            onClick={isConfirming ? () => setConfirming(false) : onCancel}
          >
            {t('Back')}
          </button>
        )}
      </div>
    </>
  );
  switch (next.name) {
    case 'seal':
      return <SealFields {...of} frame={frame} />;
    case 'handover':
      return <HandoverFields {...of} stage={next.stage} frame={frame} />;
    case 'incident':
      return <IncidentFields frame={frame} />;
    case 'condition':
      return <ConditionFields frame={frame} />;
    default:
      return frame(null, async () => next);
  }
};

/** Draws the fields of a step with its button. */
export type Frame = (children: ReactNode, make: MakeStep) => ReactNode;
