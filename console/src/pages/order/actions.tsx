import type { Order } from '@pto/proto/orders/v1/orders';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { useMay } from '../../parts/me.ts';
import { shortId } from '../../parts/short-id.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { Field, FormWindow } from '../../parts/window.tsx';
import { type Action, actions, nameMax } from './commands.ts';
import { canHandOver, HandoverWindow } from './handover-window.tsx';
import { useSuggestions } from './use-suggestions.ts';

/** Of more items the seals are entered on the command line, from a list. */
const sealsMax = 20;

/** Buttons for what can be done next. The service validates, as it does for the command line. */
export const OrderActions = ({ order }: { order: Order }) => {
  const may = useMay();
  const queries = useQueryClient();
  const [open, setOpen] = useState<Action>();
  const [isHandingOver, setHandingOver] = useState(false);
  const withCommandId = useCommandIds();
  const suggestions = useSuggestions(order, open?.field?.name);
  if (!may('dispatcher')) return null;
  const offered = actions
    .filter(
      ({ from, rpc }) =>
        from.includes(order.status) && (rpc !== 'sealOrder' || order.items.length <= sealsMax),
    )
    .toSorted((one, other) => Number(other.isNext ?? false) - Number(one.isNext ?? false));
  // an open dialog stays, with its text and its error, when the order changes meanwhile
  if (offered.length === 0 && !open && !isHandingOver) return null;
  const changed = () => queries.invalidateQueries({ queryKey: ['order', order.id] });
  const numbers = Array.from({ length: Math.max(order.items.length, 1) }, (_, n) => n + 1);
  const submit = async ({ rpc, field }: Action, fields: FormData) => {
    const call = clients.orders[rpc] as (request: object) => Promise<unknown>;
    await withCommandId(rpc, (commandId) =>
      call({
        circumstances: { orderId: order.id, commandId },
        ...(field && { [field.name]: fields.get(field.name) }),
        ...(rpc === 'sealOrder' && { sealIds: fields.getAll('seal') }),
      }),
    );
    await changed();
  };
  return (
    <section aria-label="What can be done" className="actions start">
      {offered.map((action) => (
        <button
          key={action.name}
          type="button"
          className={action.isNext ? '' : action.isDangerous ? 'quiet danger' : 'quiet'}
          onClick={() => setOpen(action)}
        >
          {action.name}
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
          title={`${open.name}: ${visibleText(order.externalId ?? shortId(order.id))}`}
          verb={open.rpc === 'cancelOrder' ? 'Cancel the order' : open.name}
          open
          isRepeatable
          isDangerous={open.isDangerous ?? false}
          onClose={() => setOpen(undefined)}
          submit={(fields) => submit(open, fields)}
        >
          {open.field && (
            <Field
              label={open.field.label}
              name={open.field.name}
              maxLength={open.field.max}
              suggestions={suggestions}
              required
            />
          )}
          {open.rpc === 'sealOrder' &&
            numbers.map((number) => (
              <Field
                key={number}
                label={sealLabel(order, number)}
                name="seal"
                maxLength={nameMax}
                required
              />
            ))}
          <p className="faint">
            {open.rpc === 'cancelOrder'
              ? 'A cancelled order cannot be opened again.'
              : 'The step is recorded in the history and cannot be undone.'}
          </p>
        </FormWindow>
      )}
    </section>
  );
};

const sealLabel = ({ items }: Order, number: number): string => {
  const goods = items[number - 1]?.goodsType;
  return goods === undefined ? 'Seal' : `Seal of item ${number}, ${goods}`;
};
