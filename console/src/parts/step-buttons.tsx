import { useState } from 'react';
import { QuietButton } from './quiet-button.tsx';
import { Confirm } from './window.tsx';
import { t } from './words.ts';

/** A command behind a button: of a question, or of a window of its own. */
export interface Step {
  readonly name: string;
  /** What it does. */
  readonly text: string;
  /** Whether it ends something. */
  readonly isDangerous?: boolean;
  /** Asks first. @returns the result in words. */
  readonly act?: () => Promise<string>;
  readonly open?: () => void;
}

/**
 * Buttons for commands, and the last result in words.
 * @param more folded ones, each beside what it does.
 * @param changed called after a command.
 */
export const StepButtons = ({
  steps,
  more,
  result,
  onResult,
  changed,
}: {
  steps: readonly Step[];
  more: readonly Step[];
  result: string;
  onResult: (words: string) => void;
  changed: () => Promise<unknown>;
}) => {
  const [step, setStep] = useState<Step>();
  const button = (one: Step) => (
    <QuietButton
      key={one.name}
      className={one.isDangerous ? 'danger' : ''}
      onClick={one.open ?? (() => setStep(one))}
    >
      {t(one.name)}
    </QuietButton>
  );
  return (
    <>
      {steps.length > 0 && <div className="actions start">{steps.map(button)}</div>}
      {more.length > 0 && (
        <details className="more">
          <summary>{t('More')}</summary>
          <ul className="plain">
            {more.map((one) => (
              <li key={one.name}>
                {button(one)} <span className="faint">{t(one.text)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
      {result !== '' && <p role="status">{result}</p>}
      {step?.act && (
        <Confirm
          title={t(step.name)}
          text={t(step.text)}
          isDangerous={step.isDangerous ?? false}
          onClose={() => setStep(undefined)}
          actions={{
            [step.name]: async () => {
              onResult(await step.act!());
              await changed();
            },
          }}
        />
      )}
    </>
  );
};
