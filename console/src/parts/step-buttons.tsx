import { type ReactNode, useState } from 'react';
import { Confirm } from './window.tsx';
import { t } from './words.ts';

/** A command behind a button and a question. */
export interface Step {
  readonly name: string;
  readonly text: string;
  /** Whether it ends something. */
  readonly isDangerous?: boolean;
  /** Returns the result in words. */
  readonly act: () => Promise<string>;
}

/**
 * Buttons for commands, what ends something last, and the last result in words.
 * @param children further buttons.
 * @param changed called after a command.
 */
export const StepButtons = ({
  steps,
  result,
  onResult,
  changed,
  children,
}: {
  steps: readonly Step[];
  result: string;
  onResult: (words: string) => void;
  changed: () => Promise<unknown>;
  children?: ReactNode;
}) => {
  const [step, setStep] = useState<Step>();
  const button = (one: Step) => (
    <button
      key={one.name}
      type="button"
      className={one.isDangerous ? 'quiet danger' : 'quiet'}
      onClick={() => setStep(one)}
    >
      {t(one.name)}
    </button>
  );
  return (
    <>
      <div className="actions start">
        {steps.filter(({ isDangerous }) => !isDangerous).map(button)}
        {children}
        {steps.filter(({ isDangerous }) => isDangerous).map(button)}
      </div>
      {result !== '' && <p role="status">{result}</p>}
      {step && (
        <Confirm
          title={t(step.name)}
          text={t(step.text)}
          isDangerous={step.isDangerous ?? false}
          onClose={() => setStep(undefined)}
          actions={{
            [step.name]: async () => {
              onResult(await step.act());
              await changed();
            },
          }}
        />
      )}
    </>
  );
};
