import { type Group, groups, measuredOf } from '../../parts/measured.ts';
import { Measurements } from '../../parts/measurements.tsx';
import { Waiting } from '../../parts/pending.tsx';
import type { useMeasurements } from '../../parts/use-measurements.ts';

/** A sentence for each group of measurements; the numbers are behind it. */
export const Groups = ({ query }: { query: ReturnType<typeof useMeasurements> }) => {
  if (!query.data) return <Waiting label="Loading the measurements" query={query} />;
  const all = query.data;
  return (Object.keys(groups) as Group[]).map((group) => {
    const own = all.filter(({ name }) => measuredOf(name).group === group);
    const isBad = own.some(({ runbook }) => runbook !== undefined);
    const [works, fails] = groups[group];
    const sentence = query.error ? (
      <span className="faint">Not known now.</span>
    ) : (
      <span className={isBad ? 'wrong' : ''}>
        <span aria-hidden="true">{isBad ? '✕' : '✓'}</span> {isBad ? fails : works}
      </span>
    );
    return own.length === 0 ? (
      <p key={group}>{sentence}</p>
    ) : (
      <details key={group}>
        <summary>{sentence}</summary>
        <Measurements query={query} shows={({ name }) => measuredOf(name).group === group} />
      </details>
    );
  });
};
