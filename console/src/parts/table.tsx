import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NotReadAgain, Waiting } from './pending.tsx';
import { Text } from './text.tsx';
import { t } from './words.ts';

/** A column: its heading, and the cell of a row. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => ReactNode];

interface Shown<Row> {
  id: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** A sentence for no rows. */
  empty: ReactNode;
  caption: string;
}

/**
 * A table of what a call returned, with its states: loading, empty, failed, and no answer while older
 * rows are shown.
 */
export const Table = <Data, Row>({
  query,
  rows,
  ...shown
}: Shown<Row> & { query: UseQueryResult<Data>; rows: (data: Data) => readonly Row[] }) =>
  query.data === undefined ? (
    <Waiting label={`${t('Loading')}: ${t(shown.caption)}`} query={query} />
  ) : (
    <>
      <NotReadAgain query={query} />
      <Rows of={rows(query.data)} {...shown} />
    </>
  );

/** The table alone. On narrow screens each row is a card whose cells have their headings. */
export const Rows = <Row,>({
  of: rows,
  id,
  columns,
  empty,
  caption,
}: Shown<Row> & { of: readonly Row[] }) =>
  rows.length === 0 ? (
    <p className="empty">{empty}</p>
  ) : (
    <div className="scroll">
      <table>
        <caption>{t(caption)}</caption>
        <thead>
          <tr>
            {columns.map(([heading]) => (
              <th key={heading} scope="col">
                {t(heading)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)}>
              {columns.map(([heading, cell]) => (
                <td key={heading} data-heading={t(heading)}>
                  {shown(cell(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );

/** A cell that is a text may be a partner's. */
const shown = (cell: ReactNode): ReactNode =>
  typeof cell === 'string' && cell !== '' ? <Text of={cell} /> : cell;
