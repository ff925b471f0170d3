import { duration } from './duration.ts';
import { adviceOn } from './endpoint/advice.ts';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';
import { ExactTime, exactTime } from './time.tsx';
import { t } from './words.ts';

const toneOf = (status: number | null | undefined) => (status && status < 300 ? 'good' : 'bad');

/**
 * Attempts in a line: the status code or the reason of each. When opened: of each the time, how long it
 * took, what its failure means, and the stored part of the response.
 */
export const Attempts = ({ of }: { of: readonly Schemas['DeliveryAttempt'][] }) =>
  of.length === 0 ? (
    <span className="faint">{t('none')}</span>
  ) : (
    <details>
      <summary>
        <span className="attempts">
          {of.map(({ at, status_code, error, duration_ms }) => (
            <span
              key={at}
              className={toneOf(status_code)}
              title={`${exactTime(at)}, ${duration(duration_ms / 1000)}`}
            >
              {status_code ?? <Text of={error ?? ''} />}
            </span>
          ))}
        </span>
      </summary>
      <ol className="attempt-list">
        {of.map((attempt) => (
          <li key={attempt.at}>
            <ExactTime at={attempt.at} />,{' '}
            <span className={toneOf(attempt.status_code)}>
              {attempt.status_code ?? <Text of={attempt.error ?? ''} />}
            </span>
            , {duration(attempt.duration_ms / 1000)}
            <Answer of={attempt} />
          </li>
        ))}
      </ol>
    </details>
  );

type Answered = Pick<Schemas['DeliveryAttempt'], 'status_code' | 'error' | 'response_body'>;

/** What a failure means and what to do, and the stored part of the response. */
export const Answer = ({ of }: { of: Answered }) => {
  const advice = adviceOn(of);
  return (
    <>
      {advice !== '' && <p>{advice}</p>}
      {of.response_body && (
        <pre>
          <Text of={of.response_body} />
        </pre>
      )}
    </>
  );
};
