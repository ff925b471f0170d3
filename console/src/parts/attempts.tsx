import { useState } from 'react';
import { duration } from './duration.ts';
import { adviceOn } from './endpoint/advice.ts';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';
import { ExactTime, exactTime } from './time.tsx';
import { t } from './words.ts';

/**
 * Attempts in a line: the status code or the reason of each. When opened: of each the time, how long it
 * took, what its failure means, and the stored part of the response.
 */
export const Attempts = ({ of }: { of: readonly Attempt[] }) => {
  const [isOpen, setOpen] = useState(false);
  if (of.length === 0) return <span className="faint">{t('none')}</span>;
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="attempts">
          {of.map((attempt) => (
            <Outcome key={attempt.at} of={attempt} />
          ))}
        </span>
      </summary>
      {isOpen && (
        <ol className="attempt-list">
          {of.map((attempt) => (
            <li key={attempt.at}>
              <ExactTime at={attempt.at} />, <Outcome of={attempt} />, {durationOf(attempt)}
              <Answer of={attempt} />
            </li>
          ))}
        </ol>
      )}
    </details>
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
