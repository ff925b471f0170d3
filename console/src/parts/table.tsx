import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { NotReadAgain, Waiting } from './pending.tsx';
import { Text } from './text.tsx';

/** A column: its heading, and the cell of a row. */
export type Column<Row> = readonly [heading: string, cell: (row: Row) => ReactNode];

/**
 * A table of what a call returned, with its states: loading, empty, failed, and no answer while older
 * rows are shown. On narrow screens each row is a card whose cells have their headings.
 * @param empty a sentence for no rows.
 */
export const Table = <Data, Row>({
  query,
  rows: rowsOf,
  id,
  columns,
  empty,
  caption,
}: {
  query: UseQueryResult<Data>;
  rows: (data: Data) => readonly Row[];
  id: (row: Row) => string;
  columns: readonly Column<Row>[];
  empty: ReactNode;
  caption: string;
}) => {
  if (query.data === undefined) return <Waiting label={`Loading ${caption}`} query={query} />;
  const rows = rowsOf(query.data);
  return (
    <>
      <NotReadAgain query={query} />
      {rows.length === 0 ? (
        <p className="empty">{empty}</p>
      ) : (
        <div className="scroll">
          <table>
            <caption>{caption}</caption>
            <thead>
              <tr>
                {columns.map(([heading]) => (
                  <th key={heading} scope="col">
                    {heading}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={id(row)}>
                  {columns.map(([heading, cell]) => (
                    <td key={heading} data-heading={heading}>
                      {shown(cell(row))}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
};

/** A cell that is a text may be a partner's. */
const shown = (cell: ReactNode): ReactNode =>
  typeof cell === 'string' && cell !== '' ? <Text of={cell} /> : cell;
