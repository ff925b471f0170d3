import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useEffect, useMemo, useRef } from 'react';
import { Link } from 'wouter';
import { boardOf, callsOf, type Untold, untoldCallsOf } from '../board/columns.ts';
import { useBoard } from '../board/use-board.ts';
import { useRecords } from '../parts/carriers.ts';
import { hasPlaces } from '../parts/map.tsx';
import { Pending } from '../parts/pending.tsx';
import { useMinute } from '../parts/use-minute.ts';
import { useUntold } from '../parts/use-untold.ts';
import { Columns, shownColumns } from './now/columns.tsx';
import { Filters, useFiltered } from './now/filters.tsx';
import { StepWindow } from './now/step-window.tsx';
import { Tray } from './now/tray.tsx';
import { useAttention, useAttentionSwitch } from './now/use-attention.ts';
import { useDesk } from './now/use-desk.ts';
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
  useRecords(); // a window that asks for a carrier has them at once
  const orders = useFiltered(all);
  const board = useMemo(() => boardOf(orders, now, untold), [orders, now, untold]);
  const desk = useDesk(useMemo(() => shownColumns.map((column) => board[column]), [board]));
  const { openId, asking } = desk;
  return (
    <>
      <div className="bar">
        {openId === '' ? <h1>Now</h1> : <strong>Now</strong>}
        <Filters all={all} attention={attention} />
        {all.some(hasPlaces) && <Link href="/map">Map</Link>}
      </div>
      {hasMore && <p className="error">More than 1,000 orders are open. The first are shown.</p>}
      <div className={openId === '' ? 'desk' : 'desk split'}>
        <div>
          <Columns board={board} desk={desk} untold={untold} />
          <p className="faint">
            <Link href="/orders">
              {board.later.length} {board.later.length === 1 ? 'order is' : 'orders are'} due later
            </Link>
            . <kbd>?</kbd> lists the keys.
          </p>
        </div>
        {openId !== '' && <Opened key={openId} id={openId} onClose={desk.leave} />}
      </div>
      <Tray steps={desk.steps} list={desk.list} />
      {asking && <StepWindow {...asking} />}
    </>
  );
};

/** The order beside the board. It takes the focus, so that its buttons are the next ones of the keyboard. */
const Opened = ({ id, onClose }: { id: string; onClose: () => void }) => {
  const aside = useRef<HTMLElement>(null);
  useEffect(() => aside.current?.focus(), []);
  return (
    <aside aria-label="Order" className="opened" ref={aside} tabIndex={-1}>
      <button type="button" className="quiet" onClick={onClose}>
        Close
      </button>
      <OrderPage id={id} />
    </aside>
  );
};
