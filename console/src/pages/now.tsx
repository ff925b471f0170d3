import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useEffect, useMemo, useRef } from 'react';
import { Link, useLocation } from 'wouter';
import { boardOf, callsOf, type Untold, untoldCallsOf } from '../board/columns.ts';
import { useBoard } from '../board/use-board.ts';
import { counted } from '../parts/counted.ts';
import { hasPlaces } from '../parts/map.tsx';
import { useMay } from '../parts/me.ts';
import { Pending } from '../parts/pending.tsx';
import { QuietButton } from '../parts/quiet-button.tsx';
import { useAddress } from '../parts/use-address.ts';
import { useMinute } from '../parts/use-minute.ts';
import { useUntold } from '../parts/use-untold.ts';
import { CarrierOrderPage } from './carrier-order.tsx';
import { Columns, SharedUntold, shownColumns } from './now/columns.tsx';
import { Filters, useFiltered } from './now/filters.tsx';
import { useAttention, useAttentionSwitch } from './now/use-attention.ts';
import { useDesk } from './now/use-desk.ts';
import { DeskWindows } from './now/windows.tsx';
import { OrderPage } from './order.tsx';

/** What must be done now: the open orders by urgency, and their steps by one key. */
export const NowPage = () => {
  const attention = useAttentionSwitch();
  const query = useBoard({ isWatched: attention.isOn });
  const untold = useUntold();
  const open = query.data?.orders;
  const calls = useMemo(() => open && callsOf(open), [open]);
  const untoldCalls = useMemo(() => open && untold && untoldCallsOf(open, untold), [open, untold]);
  useAttention(calls, attention.isOn);
  useAttention(untoldCalls, attention.isOn);
  if (!query.data) return <Pending of="Now" query={query} />;
  const { orders, hasMore } = query.data;
  return <Desk all={orders} hasMore={hasMore} untold={untold} attention={attention} />;
};

const Desk = ({
  all,
  hasMore,
  untold,
  attention,
}: {
  all: readonly OpenOrder[];
  hasMore: boolean;
  untold: Untold | undefined;
  attention: ReturnType<typeof useAttentionSwitch>;
}) => {
  const now = useMinute();
  const orders = useFiltered(all);
  const board = useMemo(() => boardOf(orders, now, untold), [orders, now, untold]);
  const desk = useDesk(useMemo(() => shownColumns.map((column) => board[column]), [board]));
  const { openId } = desk;
  const address = useAddress();
  const [, go] = useLocation();
  return (
    <>
      <div className="bar">
        {openId === '' ? <h1>Now</h1> : <strong>Now</strong>}
        <Filters
          all={all}
          attention={attention}
          onEnter={() => {
            // an ended order is none of Now
            if (orders.length === 0) go(`/orders?q=${encodeURIComponent(address.get('q'))}`);
            else if (orders.length === 1) desk.open(orders[0]!.id);
          }}
        />
        {all.some(hasPlaces) && <Link href="/map">Map</Link>}
      </div>
      {hasMore && <p className="error">More than 1,000 orders are open. The first are shown.</p>}
      <div className={openId === '' ? 'desk' : 'desk split'}>
        <div>
          <p className="hints faint">
            {hints.map(([key, does]) => (
              <span key={key}>
                <kbd>{key}</kbd> {does}
              </span>
            ))}
          </p>
          {shownColumns.some((column) => board[column].length > 0) ? (
            <Columns board={board} desk={desk} untold={untold} />
          ) : (
            <>
              <SharedUntold {...{ board, untold }} />
              <p className="empty">
                {orders.length < all.length
                  ? 'No order that waits or is under way fits the search and the filters. Enter in the search looks among all orders.'
                  : 'Nothing waits, and nothing is under way. New orders come here by themselves.'}
              </p>
            </>
          )}
          {board.later.length > 0 && (
            <p className="faint">
              <Link href="/orders">
                {counted(board.later.length, 'order is', 'orders are')} due later
              </Link>
              .
            </p>
          )}
        </div>
        {openId !== '' && <Opened key={openId} id={openId} onClose={desk.leave} />}
      </div>
      <DeskWindows desk={desk} />
    </>
  );
};

/** The keys that are needed most, where they are used. */
const hints = [
  ['j k', 'move'],
  ['J K', 'other column'],
  ['Enter', 'open'],
  ['n', 'next step'],
  ['x', 'select'],
  ['X', 'select the column'],
  ['u', 'take back'],
  ['?', 'all keys'],
] as const;

/** The order beside the board. It takes the focus, so that its buttons are the next ones of the keyboard. */
const Opened = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const may = useMay();
  const aside = useRef<HTMLElement>(null);
  useEffect(() => aside.current?.focus(), []);
  return (
    <aside aria-label="Order" className="opened" ref={aside} tabIndex={-1}>
      <QuietButton aria-keyshortcuts="Esc" onClick={onClose}>
        Back
      </QuietButton>
      {may('carrier') ? <CarrierOrderPage id={id} /> : <OrderPage id={id} />}
    </aside>
  );
};
