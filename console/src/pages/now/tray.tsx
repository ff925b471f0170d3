import { useSyncExternalStore } from 'react';
import type { Step, Steps } from '../../board/steps.ts';
import { everySecond } from '../../parts/time.tsx';

/** The steps that are not sent yet, each with its way back, and those that failed. */
export const Tray = ({ steps, list }: { steps: Steps; list: readonly Step[] }) =>
  list.length === 0 ? null : (
    <ul className="tray" aria-label="Steps that are not sent yet">
      {list.map((step) => (
        <li key={step.id} className={step.error === undefined ? '' : 'error'}>
          <span>{step.error === undefined ? step.words : `${step.words}: ${step.error}`}</span>
          {step.error === undefined ? (
            <Undo step={step} steps={steps} />
          ) : (
            <>
              <button type="button" className="quiet" onClick={() => steps.retry(step.id)}>
                Try again
              </button>
              <button type="button" className="quiet" onClick={() => steps.drop(step.id)}>
                Drop
              </button>
            </>
          )}
        </li>
      ))}
    </ul>
  );

const Undo = ({ step, steps }: { step: Step; steps: Steps }) => {
  const left = useSyncExternalStore(everySecond, () =>
    Math.max(0, Math.ceil((step.sendAt - Date.now()) / 1000)),
  );
  return left === 0 ? (
    <span className="faint">sent …</span>
  ) : (
    <button type="button" className="quiet" onClick={() => steps.drop(step.id)}>
      Undo ({left})
    </button>
  );
};
