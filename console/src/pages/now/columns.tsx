import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import {
  type boardOf,
  type Column,
  columns,
  exceptionsOf,
  sharedBy,
  type Untold,
} from '../../board/columns.ts';
import { holdingOf } from '../../board/holding.ts';
import { useRecords } from '../../parts/carriers.ts';
import { LinkedText } from '../../parts/linked-text.tsx';
import { useMay } from '../../parts/me.ts';
import { useOrganizationName } from '../../parts/organizations.ts';
import { useAddress } from '../../parts/use-address.ts';
import { useStable } from '../../parts/use-stable.ts';
import { Card } from './card.tsx';
import type { useDesk } from './use-desk.ts';
import { useVerb } from './use-verb.ts';

export const shownColumns = (Object.keys(columns) as Column[]).filter((one) => one !== 'later');

type Board = ReturnType<typeof boardOf>;

/** As many columns as fit on a telephone have short names. */
const tabs = { ...columns, due: 'Due in 1 h', mine: 'For me' } as const;

/** The columns whose orders somebody may have to call about. */
const called: readonly Column[] = ['exceptions', 'late'];

/** A line for each endpoint that was not told of many orders, also of those without a card. */
export const SharedUntold = ({ board, untold }: { board: Board; untold: Untold | undefined }) =>
  [...sharedBy(Object.values(board).flat(), untold)].map(([id, of]) => (
    <p key={id} className="problem">
      <LinkedText of={untold!.get(of[0]!.id)!.endpointAddress} at={`/endpoints/${id}`} /> was not
      told of {of.length} open orders.
    </p>
  ));

/** The columns of the board; on narrow screens and beside an order one of them. */
export const Columns = ({
  board,
  desk,
  untold,
}: {
  board: Board;
  desk: ReturnType<typeof useDesk>;
  untold: Untold | undefined;
}) => {
  const address = useAddress();
  const withOpen = shownColumns.find((one) => desk.openId && board[one].includes(desk.current!));
  const filled = shownColumns.filter((one) => board[one].length > 0);
  const asked = shownColumns.find((one) => one === address.get('column'));
  const shown = asked ?? withOpen ?? filled[0] ?? shownColumns[0]!;
  /** The column that stands beside it where two fit. */
  const beside =
    filled.find((one) => shownColumns.indexOf(one) > shownColumns.indexOf(shown)) ??
    filled.find((one) => one !== shown);
  const { data: records = { carriers: [], drivers: [] } } = useRecords(); // the windows ask for them, too
  const may = useMay();
  const verbOf = useVerb();
  const organizationName = useOrganizationName();
  const [onOpen, onSelect, onNext] = [
    useStable(desk.open),
    useStable(desk.select),
    useStable(desk.next),
  ];
  const cardOf = (column: Column) => (order: OpenOrder) => {
    const { words, telephone } = holdingOf(order, records);
    return (
      <Card
        key={order.id}
        order={order}
        wrong={exceptionsOf(order, untold).join('; ')}
        organization={organizationName(order.organizationId)}
        holding={words}
        telephone={called.includes(column) ? telephone : ''}
        verb={verbOf(order)}
        isSelectable={may('dispatcher', 'carrier')}
        pending={desk.pending.get(order.id)}
        isCurrent={order === desk.current}
        isSelected={desk.selected.has(order.id)}
        {...{ onOpen, onSelect, onNext }}
      />
    );
  };
  const hasSelected = (one: Column) => board[one].some(({ id }) => desk.selected.has(id));
  return (
    <>
      <div className="tabs">
        <fieldset className="choice">
          <legend className="hidden">Column</legend>
          {shownColumns.map((one) => (
            <label
              key={one}
              className={`${board[one].length > 0 ? one : ''}${hasSelected(one) ? ' picked' : ''}`}
            >
              <input
                type="radio"
                name="column"
                checked={shown === one}
                onChange={() => address.set({ column: one })}
              />
              <strong>{board[one].length}</strong> {tabs[one]}
              {hasSelected(one) && <span className="hidden">, with selected orders</span>}
            </label>
          ))}
        </fieldset>
      </div>
      <div className="board">
        {shownColumns.map((one) => (
          <section
            key={one}
            aria-label={columns[one]}
            className={`${one}${one === shown ? ' shown' : one === beside ? ' second' : ''}`}
          >
            <div className="head">
              {board[one].length > 0 && may('dispatcher', 'carrier') && (
                <label className="pick">
                  <input
                    type="checkbox"
                    aria-label={`Select all: ${columns[one]}`}
                    checked={board[one].every(({ id }) => desk.selected.has(id))}
                    onChange={() => desk.selectAll(board[one])}
                  />
                  <span>Select all</span>
                </label>
              )}
              <h2>
                {columns[one]} <span className="badge">{board[one].length}</span>
              </h2>
            </div>
            {one === 'exceptions' && <SharedUntold {...{ board, untold }} />}
            {board[one].map(cardOf(one))}
            {board[one].length === 0 && (
              <>
                <p className="faint">No orders.</p>
                <button
                  type="button"
                  className="first"
                  onClick={() => address.set({ column: filled[0]! })}
                >
                  Next: {tabs[filled[0]!]} ({board[filled[0]!].length})
                </button>
              </>
            )}
          </section>
        ))}
      </div>
    </>
  );
};
