import { commandRows, type OrderCommand } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { useMay } from '../../parts/me.ts';
import { shortId } from '../../parts/short-id.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { Field, FormWindow } from '../../parts/window.tsx';
import { canHandOver, HandoverWindow } from './handover-window.tsx';
import { useSuggestions } from './use-suggestions.ts';

/** Of more items the seals are entered on the command line, from a list. */
const sealsMax = 20;

/** The next step comes first, and what ends the order last. */
const rankOf = ({ change, asks }: OrderCommand): number => (change.isNext ? 0 : asks ? 2 : 1);

/** Buttons for what can be done next. The service validates, as it does for the command line. */
export const OrderActions = ({ order }: { order: Order }) => {
  const may = useMay();
  const queries = useQueryClient();
  const [open, setOpen] = useState<OrderCommand>();
  const [isHandingOver, setHandingOver] = useState(false);
  const withCommandId = useCommandIds();
  const suggestions = useSuggestions(order, open?.fields?.[0]?.name);
  if (!may('dispatcher')) return null;
  const offered = commandRows
    .filter(
      ({ name, call, change: { from } }) =>
        call?.label !== undefined &&
        (from as readonly string[]).includes(order.status) &&
        (name !== 'seal' || order.items.length <= sealsMax),
    )
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  // an open dialog stays, with its text and its error, when the order changes meanwhile
  if (offered.length === 0 && !open && !isHandingOver) return null;
  const changed = () => queries.invalidateQueries({ queryKey: ['order', order.id] });
  const submit = async ({ call, fields = [] }: OrderCommand, form: FormData) => {
    const { rpc } = call!;
    const send = (
      clients.orders as unknown as Record<string, (request: object) => Promise<unknown>>
    )[rpc]!;
    const values = fields.map(({ name, kind }) => [
      name,
      kind === 'lines' ? form.getAll(name) : form.get(name),
    ]);
    await withCommandId(rpc, (commandId) =>
      send({ circumstances: { orderId: order.id, commandId }, ...Object.fromEntries(values) }),
    );
    await changed();
  };
  return (
    <section aria-label="What can be done" className="actions start">
      {offered.map((action) => (
        <button
          key={action.call!.rpc}
          type="button"
          className={action.change.isNext ? '' : action.asks ? 'quiet danger' : 'quiet'}
          onClick={() => setOpen(action)}
        >
          {action.call!.label}
        </button>
      ))}
      {canHandOver(order) && (
        <button type="button" className="quiet" onClick={() => setHandingOver(true)}>
          Record a handover
        </button>
      )}
      {isHandingOver && (
        <HandoverWindow
          order={order}
          withCommandId={withCommandId}
          onClose={() => setHandingOver(false)}
          onDone={changed}
        />
      )}
      {open && (
        <FormWindow
          title={`${open.call!.label}: ${visibleText(order.externalId ?? shortId(order.id))}`}
          verb={open.asks ? 'Cancel the order' : open.call!.label!}
          isRepeatable
          isDangerous={open.asks !== undefined}
          onClose={() => setOpen(undefined)}
          submit={(fields) => submit(open, fields)}
        >
          {(open.fields ?? []).flatMap(({ name, kind, label, max }) =>
            (kind === 'lines' ? sealLabels(order) : [label!]).map((text) => (
              <Field
                key={text}
                label={text}
                name={name}
                maxLength={max}
                suggestions={suggestions}
                required
              />
            )),
          )}
          <p className="faint">
            {open.asks
              ? 'A cancelled order cannot be opened again.'
              : 'The step is recorded in the history and cannot be undone.'}
          </p>
        </FormWindow>
      )}
    </section>
  );
};

/** One label for each item; an order without items has one seal. */
const sealLabels = ({ items }: Order): string[] =>
  items.length === 0
    ? ['Seal']
    : items.map(({ goodsType }, n) => `Seal of item ${n + 1}, ${goodsType}`);
