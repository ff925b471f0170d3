import { firstLine } from '@pto/representation';
import { type ReactNode, useState } from 'react';
import { duration } from './duration.ts';
import { adviceOn } from './endpoint/advice.ts';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';
import { ExactTime, exactTime } from './time.tsx';
import { t } from './words.ts';

/**
 * The last attempt: its status code or reason, the first line of the response, and how many there were.
 * When opened: of each the time, how long it took, what its failure means, and the stored part of the
 * response.
 * @param children what else is folded.
 */
export const Attempts = ({ of, children }: { of: readonly Attempt[]; children?: ReactNode }) => {
  const [isOpen, setOpen] = useState(false);
  if (of.length === 0 && !children) return <span className="faint">{t('none')}</span>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <LastAttempt of={of} />
      </summary>
      {isOpen && (
        <>
          <ol className="attempt-list">
            {of.map((attempt) => (
              <li key={attempt.at}>
                <ExactTime at={attempt.at} />, <Outcome of={attempt} />, {durationOf(attempt)}
                <Answer of={attempt} />
              </li>
            ))}
          </ol>
          {children}
        </>
      )}
    </details>
  );
};

/** The last attempt in some words, and how many there were. */
export const LastAttempt = ({ of }: { of: readonly Attempt[] }) => {
  const last = of.at(-1);
  return (
    <span className="attempts">
      {last ? <Outcome of={last} /> : t('none')}{' '}
      {last?.response_body && <Text of={firstLine(last.response_body)} />}{' '}
      {of.length > 1 && (
        <span className="faint">{t('{count} attempts', { count: of.length })}</span>
      )}
    </span>
  );
};

type Attempt = Schemas['DeliveryAttempt'];

const durationOf = ({ duration_ms }: Attempt): string => duration(duration_ms / 1000);

/** The status code or the reason of an attempt, with time and duration when pointed at. */
const Outcome = ({ of }: { of: Attempt }) => (
  <span
    className={of.status_code && of.status_code < 300 ? 'good' : 'bad'}
    title={`${exactTime(of.at)}, ${durationOf(of)}`}
  >
    {of.status_code ?? <Text of={of.error ?? ''} />}
  </span>
);

type Answered = Pick<Attempt, 'status_code' | 'error' | 'response_body'>;

/** What a failure means and what to do, and the stored part of the response. */
export const Answer = ({ of }: { of: Answered }) => {
  const advice = adviceOn(of);
  return (
    <>
      {advice !== '' && <p>{t(advice)}</p>}
      {of.response_body && (
        <pre>
          <Text of={of.response_body} />
        </pre>
      )}
    </>
  );
};
