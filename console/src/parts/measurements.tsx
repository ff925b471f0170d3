import { type Column, Table } from './table.tsx';
import type { MeasuredRow, useMeasurements } from './use-measurements.ts';

const columns: readonly Column<MeasuredRow>[] = [
  ['Process', ({ process }) => process, 'detail'],
  [
    'Measurement',
    ({ what, of }) => (
      <>
        {what} <span className="faint long">{of}</span>
      </>
    ),
    'title',
  ],
  [
    'Value',
    ({ value, runbook }) =>
      runbook === undefined ? value : <span className="badge bad">{value || 'no response'}</span>,
    'state',
  ],
];

/** What the processes measure now. @param shows whether a row is shown. */
export const Measurements = ({
  query,
  shows,
}: {
  query: ReturnType<typeof useMeasurements>;
  shows: (row: MeasuredRow) => boolean;
}) => (
  <Table
    query={query}
    rows={(rows) => rows.filter(shows)}
    columns={columns}
    caption="Measurements"
    empty="Nothing is measured."
  />
);
