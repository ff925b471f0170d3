import { commandRows } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { incidentsOf } from '../../board/columns.ts';
import { sealsMax } from '../../board/flows.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { useRecords } from '../../parts/carriers.ts';
import { useMay, useMaySend } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { useKeys } from '../../parts/use-keys.ts';
import { CommandWindow } from './command-window.tsx';
import { ExpectedWindow } from './expected-window.tsx';
import { canHandOver, HandoverWindow } from './handover-window.tsx';

/** The next step comes first, and what ends the order last. */
const rankOf = ({ change, asks }: (typeof commandRows)[number]): number =>
  change.isNext ? 0 : asks ? 2 : 1;

/** Buttons for what can be done next. The service validates, as it does for the command line. */
export const OrderActions = ({ order }: { order: Order }) => {
  const may = useMay();
  const maySend = useMaySend();
  const [open, setOpen] = useState<(typeof commandRows)[number]>();
  const [isHandingOver, setHandingOver] = useState(false);
  const withCommandId = useCommandIds();
  const isMover = may('dispatcher', 'carrier');
  useRecords(isMover); // a window that asks for a carrier has them at once
  const incidents = incidentsOf(order);
  const offered = commandRows
    .filter(
      ({ name, call, change: { from } }) =>
        call?.label !== undefined &&
        maySend(call.rpc) &&
        (from as readonly string[]).includes(order.status) &&
        (name !== 'seal' || order.items.length <= sealsMax) &&
        name !== 'resolve', // it stands beside the incident
    )
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  const next = incidents.length === 0 && offered.find(({ change }) => change.isNext);
  const isOwnPage = useLocation()[0].startsWith('/orders/'); // beside the board the key is the board's
  useKeys(isOwnPage && next ? { n: () => setOpen(next) } : {});
  // an open dialog stays, with its text and its error, when the order changes meanwhile
  if (!isMover || (offered.length === 0 && !open && !isHandingOver)) return null;
  return (
    <section aria-label="What can be done" className="actions start">
      {offered.map((action) => (
        <button
          key={action.call!.rpc}
          type="button"
          className={action.asks ? 'quiet danger' : action === next ? '' : 'quiet'}
          aria-keyshortcuts={isOwnPage && action === next ? 'n' : undefined}
          onClick={() => setOpen(action)}
        >
          {action.call!.label}
        </button>
      ))}
      {canHandOver(order) && (
        <QuietButton onClick={() => setHandingOver(true)}>Record a handover</QuietButton>
      )}
      {isHandingOver && (
        <HandoverWindow
          order={order}
          withCommandId={withCommandId}
          onClose={() => setHandingOver(false)}
        />
      )}
      {open?.name === 'expect' && (
        <ExpectedWindow order={order} onClose={() => setOpen(undefined)} />
      )}
      {open && open.name !== 'expect' && (
        <CommandWindow
          command={open}
          order={order}
          withCommandId={withCommandId}
          onClose={() => setOpen(undefined)}
        >
          {open.change.to === 'CLOSED' && incidents.length > 0 && (
            <p className="error">
              {incidents.length === 1 ? 'An incident is' : `${incidents.length} incidents are`} not
              resolved. The order can be closed all the same.
            </p>
          )}
        </CommandWindow>
      )}
    </section>
  );
};
