import { duration } from './duration.ts';
import { Text } from './text.tsx';
import { exactTime } from './time.tsx';

/** An attempt of a delivery. */
export interface ShownAttempt {
  readonly at: string;
  /** Status of the response; undefined: there was none. */
  readonly statusCode?: number | undefined;
  readonly error: string;
  readonly durationMs: number;
}

/** Attempts in a line: the status code or the reason of each, with time and duration when pointed at. */
export const Attempts = ({ of }: { of: readonly ShownAttempt[] }) =>
  of.length === 0 ? (
    <span className="faint">none</span>
  ) : (
    <span className="attempts">
      {of.map(({ at, statusCode, error, durationMs }) => (
        <span
          key={at}
          className={statusCode !== undefined && statusCode < 300 ? 'good' : 'bad'}
          title={`${exactTime(at)}, ${duration(durationMs / 1000)}`}
        >
          {statusCode ?? <Text of={error} />}
        </span>
      ))}
    </span>
  );
