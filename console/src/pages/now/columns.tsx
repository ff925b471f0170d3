import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import {
  type boardOf,
  type Column,
  columns,
  exceptionsOf,
  hasIncident,
  type Untold,
} from '../../board/columns.ts';
import { flowOf } from '../../board/flows.ts';
import { useMay } from '../../parts/me.ts';
import { useOrganizationName } from '../../parts/organizations.ts';
import { useAddress } from '../../parts/use-address.ts';
import { useStable } from '../../parts/use-stable.ts';
import { Card } from './card.tsx';
import type { useDesk } from './use-desk.ts';

export const shownColumns = (Object.keys(columns) as Column[]).filter((one) => one !== 'later');

type Board = ReturnType<typeof boardOf>;

/** Words of what comes next: an open incident is resolved first. */
export const verbOf = (order: OpenOrder): string | undefined =>
  hasIncident(order) ? 'Resolve' : flowOf(order)?.verb;

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
  const withOpen = shownColumns.find((one) => board[one].some(({ id }) => id === desk.openId));
  const filled = shownColumns.find((one) => board[one].length > 0);
  const shown = address.get('column', shownColumns) || withOpen || filled || shownColumns[0]!;
  const may = useMay();
  const organizationName = useOrganizationName();
  const [onOpen, onSelect, onNext] = [
    useStable(desk.open),
    useStable(desk.select),
    useStable(desk.next),
  ];
  const cardOf = (order: OpenOrder) => (
    <Card
      key={order.id}
      order={order}
      wrong={exceptionsOf(order, untold).join('; ')}
      organization={organizationName(order.organizationId)}
      verb={may('dispatcher') ? verbOf(order) : undefined}
      isSelectable={may('dispatcher')}
      pending={desk.pending.get(order.id)}
      isCurrent={order === desk.current}
      isSelected={desk.selected.has(order.id)}
      {...{ onOpen, onSelect, onNext }}
    />
  );
  return (
    <>
      <div className="tabs">
        <fieldset className="choice">
          <legend className="hidden">Column</legend>
          {shownColumns.map((one) => (
            <label key={one} className={board[one].length > 0 ? one : ''}>
              <input
                type="radio"
                name="column"
                checked={shown === one}
                onChange={() => address.set({ column: one })}
              />
              <strong>{board[one].length}</strong> {columns[one]}
            </label>
          ))}
        </fieldset>
      </div>
      <div className="board">
        {shownColumns.map((one) => (
          <section
            key={one}
            aria-label={columns[one]}
            className={`${one}${one === shown ? ' shown' : ''}`}
          >
            <div className="head">
              {board[one].length > 0 && may('dispatcher') && (
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
            {board[one].map(cardOf)}
            {board[one].length === 0 && <p className="faint">Nothing.</p>}
          </section>
        ))}
      </div>
    </>
  );
};
