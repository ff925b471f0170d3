import { type Group, groups, measuredOf } from '../../parts/measured.ts';
import { Measurements } from '../../parts/measurements.tsx';
import { Waiting } from '../../parts/pending.tsx';
import type { useMeasurements } from '../../parts/use-measurements.ts';

type Query = ReturnType<typeof useMeasurements>;

/** A sentence for each group of measurements; the numbers are behind it. */
export const Groups = ({ query }: { query: Query }) =>
  query.data ? (
    (Object.keys(groups) as Group[]).map((group) => <One key={group} group={group} query={query} />)
  ) : (
    <Waiting label="Loading the measurements" query={query} />
  );

const One = ({ group, query }: { group: Group; query: Query }) => {
  const own = query.data?.filter(({ name }) => measuredOf(name).group === group) ?? [];
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
    <p>{sentence}</p>
  ) : (
    <details>
      <summary>{sentence}</summary>
      <Measurements query={query} shows={({ name }) => measuredOf(name).group === group} />
    </details>
  );
};
