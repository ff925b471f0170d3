import type { UseQueryResult } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { NotReadAgain, Waiting } from './pending.tsx';
import { QuietButton } from './quiet-button.tsx';
import { Text } from './text.tsx';
import { t } from './words.ts';

/**
 * Where a narrow screen shows a cell: at the beginning of the first line, at its end, in the second
 * line without or with its heading, or not at all.
 */
type Place = 'title' | 'state' | 'detail' | 'named' | 'dropped';

/** A column: its heading, the cell of a row, and its place on narrow screens, `detail` by default. */
export type Column<Row> = readonly [
  heading: string,
  cell: (row: Row) => ReactNode,
  place?: Place | undefined,
];

interface Shown<Row> {
  /** Absent: the row's own id. */
  id?: (row: Row) => string;
  columns: readonly Column<Row>[];
  /** A sentence for no rows; absent: there are some. */
  empty?: ReactNode;
  caption: string;
  /** What a button at the end of a row unfolds below it. */
  folded?: (row: Row) => ReactNode;
}

/** A row without an id needs one. */
type Identified<Row> = Row extends { readonly id: string } ? unknown : { id: (row: Row) => string };

/**
 * A table of what a call returned, with its states: loading, empty, failed, and no answer while older
 * rows are shown.
 */
export const Table = <Data, Row>(
  props: Shown<Row> &
    Identified<Row> & { query: UseQueryResult<Data>; rows: (data: Data) => readonly Row[] },
) =>
  props.query.data === undefined ? (
    <Waiting label={`${t('Loading')}: ${t(props.caption)}`} query={props.query} />
  ) : (
    <>
      <NotReadAgain query={props.query} />
      <Rows {...props} of={props.rows(props.query.data)} />
    </>
  );

/** The table alone. On narrow screens each row has two lines. */
export const Rows = <Row,>({
  of: rows,
  id = (row) => (row as { readonly id: string }).id,
  columns,
  empty,
  caption,
  folded,
}: Shown<Row> & Identified<Row> & { of: readonly Row[] }) => {
  const [open, setOpen] = useState<readonly string[]>([]);
  if (rows.length === 0) return <p className="empty">{empty}</p>;
  const places = placesOf(columns);
  return (
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
            {folded && (
              <th scope="col">
                <span className="hidden">{t('Details')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const key = id(row);
            const isOpen = open.includes(key);
            return (
              <Fragment key={key}>
                <tr>
                  {columns.map(([heading, cell, place], n) => (
                    <td
                      key={heading}
                      className={places[n]}
                      data-heading={place === 'named' ? t(heading) : undefined}
                    >
                      {shown(cell(row))}
                    </td>
                  ))}
                  {folded && (
                    <td className="unfold">
                      <QuietButton
                        aria-expanded={isOpen}
                        onClick={() =>
                          setOpen(isOpen ? open.filter((one) => one !== key) : [...open, key])
                        }
                      >
                        {t('Details')}
                      </QuietButton>
                    </td>
                  )}
                </tr>
                {folded && isOpen && (
                  <tr className="folded">
                    <td colSpan={columns.length + 1}>{folded(row)}</td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};

/** Returns the places of the cells; without a title the first cell is it. */
const placesOf = <Row,>(columns: readonly Column<Row>[]) => {
  const hasTitle = columns.some(([, , place]) => place === 'title');
  return columns.map(([heading, , place], n) => {
    if (heading === 'Actions') return 'acts';
    return place ?? (n === 0 && !hasTitle ? 'title' : 'detail');
  });
};

/** A cell that is a text may be a partner's. */
const shown = (cell: ReactNode): ReactNode =>
  typeof cell === 'string' && cell !== '' ? <Text of={cell} /> : cell;
