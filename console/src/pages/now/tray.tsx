import { useSyncExternalStore } from 'react';
import { dropBatch, type Step, type Steps } from '../../board/steps.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { everySecond } from '../../parts/time.tsx';
import { visibleText } from '../../parts/visible-text.ts';
import type { useDesk } from './use-desk.ts';

/**
 * What is selected with the steps that it can take, and the steps that are not sent yet, each act with
 * its way back, and those that failed.
 */
export const Tray = ({ desk }: { desk: ReturnType<typeof useDesk> }) => (
  <div className="tray">
    {desk.list.length > 0 && <Unsent steps={desk.steps} list={desk.list} />}
    {desk.last && !desk.list.some(({ act, error }) => act?.id === desk.last!.id && !error) && (
      <p role="status">
        {desk.last.done < desk.last.of && `${desk.last.done} of `}
        {desk.last.of} orders: {desk.last.outcome}
        <QuietButton onClick={desk.steps.forgetLast}>Hide</QuietButton>
      </p>
    )}
    {desk.marked > 0 && (
      <section aria-label="Selected orders" className="selection">
        <strong>
          {desk.marked} selected
          {desk.markedIn > 1 && ` in ${desk.markedIn} lists`}
        </strong>
        {desk.groups.map(({ of, count, take }, n) => (
          <button
            key={of}
            type="button"
            aria-keyshortcuts={n === 0 ? 'n' : undefined}
            onClick={take}
          >
            {visibleText(of)}
            {count < desk.marked && ` (${count})`}
          </button>
        ))}
        {desk.alone > 0 && <span className="faint">One by one: {desk.alone}</span>}
        <QuietButton aria-keyshortcuts="Esc" onClick={desk.selectNone}>
          Select none
        </QuietButton>
      </section>
    )}
  </div>
);

const Unsent = ({ steps, list }: { steps: Steps; list: readonly Step[] }) => (
  <ul aria-label="Steps that are not sent yet">
    {acts(list).map((step, n, { length }) => (
      <li key={step.id} className={step.error === undefined ? '' : 'error'}>
        <span>
          {step.error !== undefined
            ? `${step.words}: ${step.error}`
            : step.act
              ? `${step.act.of} orders: ${step.act.outcome}`
              : step.words}
        </span>
        {step.error === undefined ? (
          <Undo step={step} steps={steps} isLast={n === length - 1} />
        ) : (
          <>
            <QuietButton onClick={() => steps.retry(step.id)}>Try again</QuietButton>
            <QuietButton onClick={() => steps.drop(step.id)}>Drop</QuietButton>
          </>
        )}
      </li>
    ))}
  </ul>
);

/** The first step of each act; each failed step. */
const acts = (list: readonly Step[]): Step[] => {
  const byAct = Map.groupBy(list, ({ id, act, error }) =>
    error === undefined ? (act?.id ?? id) : id,
  );
  return [...byAct.values()].map(([first]) => first!);
};

const Undo = ({ step, steps, isLast }: { step: Step; steps: Steps; isLast: boolean }) => {
  const left = useSyncExternalStore(everySecond, () =>
    Math.max(0, Math.ceil((step.sendAt - Date.now()) / 1000)),
  );
  return left === 0 ? (
    <span className="faint">sent …</span>
  ) : (
    <QuietButton
      aria-keyshortcuts={isLast ? 'u' : undefined}
      onClick={() => dropBatch(steps, step)}
    >
      Take back ({left})
    </QuietButton>
  );
};
