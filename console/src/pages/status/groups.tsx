import { Finding } from '../../parts/finding.tsx';
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
  const tone = isBad ? 'bad' : 'good';
  return (
    <Finding query={query} tone={tone} says={isBad ? fails : works} isOpen={false}>
      {own.length > 0 && (
        <Measurements query={query} shows={({ name }) => measuredOf(name).group === group} />
      )}
    </Finding>
  );
};
