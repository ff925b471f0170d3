import { type Column, Table } from './table.tsx';
import type { MeasuredRow, useMeasurements } from './use-measurements.ts';

const columns: readonly Column<MeasuredRow>[] = [
  ['Process', ({ process }) => process],
  ['Measurement', ({ what }) => what],
  [
    'Value',
    ({ value, runbook }) =>
      runbook === undefined ? value : <span className="badge bad">{value || 'no response'}</span>,
  ],
];

/** What the processes measure now. @param matching the names of the measurements that are shown. */
export const Measurements = ({
  query,
  matching = /^/,
}: {
  query: ReturnType<typeof useMeasurements>;
  matching?: RegExp;
}) => (
  <Table
    query={query}
    rows={(rows) => rows.filter(({ name }) => name === '' || matching.test(name))}
    id={({ id }) => id}
    columns={columns}
    caption="Measurements"
    empty="Nothing is measured."
  />
);
