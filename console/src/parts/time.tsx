const steps = [
  [60, 'second', 1],
  [3600, 'minute', 60],
  [86_400, 'hour', 3600],
  [Number.POSITIVE_INFINITY, 'day', 86_400],
] as const;
const words = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
});

/** A time as `3 min. ago`, and exactly, in UTC, when pointed at. @param at ISO 8601; empty: none. */
export const Time = ({ at }: { at: string | undefined }) => {
  if (!at) return <span className="faint">never</span>;
  const seconds = (Date.parse(at) - Date.now()) / 1000;
  const [, unit, size] = steps.find(([below]) => Math.abs(seconds) < below)!;
  return (
    <time dateTime={at} title={`${exact.format(new Date(at))} UTC`}>
      {words.format(Math.trunc(seconds / size), unit)}
    </time>
  );
};

/** A time to the second, in UTC. */
export const ExactTime = ({ at }: { at: string }) => (
  <time dateTime={at}>{at.slice(0, 19).replace('T', ' ')}</time>
);
