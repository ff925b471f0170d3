import { duration } from './duration.ts';
import type { Schemas } from './schemas.ts';
import { Text } from './text.tsx';
import { exactTime } from './time.tsx';

/** Attempts in a line: the status code or the reason of each, with time and duration when pointed at. */
export const Attempts = ({ of }: { of: readonly Schemas['DeliveryAttempt'][] }) =>
  of.length === 0 ? (
    <span className="faint">none</span>
  ) : (
    <span className="attempts">
      {of.map(({ at, status_code, error, duration_ms }) => (
        <span
          key={at}
          className={status_code && status_code < 300 ? 'good' : 'bad'}
          title={`${exactTime(at)}, ${duration(duration_ms / 1000)}`}
        >
          {status_code ?? <Text of={error ?? ''} />}
        </span>
      ))}
    </span>
  );
