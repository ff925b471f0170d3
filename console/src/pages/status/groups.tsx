import { counted } from '../../parts/counted.ts';
import { Finding } from '../../parts/finding.tsx';
import { type Group, groups, measuredOf } from '../../parts/measured.ts';
import { Measurements } from '../../parts/measurements.tsx';
import { Waiting } from '../../parts/pending.tsx';
import type { MeasuredRow, useMeasurements } from '../../parts/use-measurements.ts';

type Query = ReturnType<typeof useMeasurements>;

/** A sentence for each group of measurements; the numbers are behind it. */
export const Groups = ({ query }: { query: Query }) =>
  query.data ? (
    (Object.keys(groups) as Group[]).map((group) => <One key={group} group={group} query={query} />)
  ) : (
    <Waiting label="Loading the measurements" query={query} />
  );

/** The greatest value of a measurement, as the page writes it; undefined: none is known. */
const mostOf = (rows: readonly MeasuredRow[], name: string): string | undefined =>
  rows.filter((row) => row.name === name).toSorted((one, other) => other.number - one.number)[0]
    ?.value;

const queueOf = (size: string, age: string) => (rows: readonly MeasuredRow[]) => {
  const oldest = mostOf(rows, age);
  return `queue ${mostOf(rows, size) ?? 0}${oldest ? `, oldest ${oldest}` : ''}`;
};

/** What each group measures first, in some words. */
const valuesOf: Readonly<Record<Group, (rows: readonly MeasuredRow[]) => string>> = {
  services: (rows) => counted(new Set(rows.map(({ process }) => process)).size, 'service'),
  messages: queueOf('outbox_unsent', 'outbox_oldest_unsent_seconds'),
  ledger: (rows) => {
    const audited = mostOf(rows, 'custody_last_audit_seconds');
    return audited ? `audited ${audited} ago` : 'not audited yet';
  },
  deliveries: queueOf('webhook_pending_deliveries', 'webhook_oldest_due_seconds'),
};

const One = ({ group, query }: { group: Group; query: Query }) => {
  const own = query.data?.filter(({ name }) => measuredOf(name).group === group) ?? [];
  const isBad = own.some(({ runbook }) => runbook !== undefined);
  const [works, fails] = groups[group];
  const tone = isBad ? 'bad' : 'good';
  return (
    <Finding
      query={query}
      tone={tone}
      says={isBad ? fails : works}
      measured={valuesOf[group](query.data ?? [])}
      isOpen={false}
    >
      {own.length > 0 && (
        <Measurements query={query} shows={({ name }) => measuredOf(name).group === group} />
      )}
    </Finding>
  );
};
