import {
  type CommandField,
  commandRows,
  type OrderCommand,
  recordInPlaceOf,
} from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { incidentsOf } from '../../board/columns.ts';
import { sealsMax } from '../../board/flows.ts';
import { carrierOf } from '../../board/suggest.ts';
import { sendOrderCommand } from '../../calls/send-order-command.ts';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { useRecordId, useRecords } from '../../parts/carriers.ts';
import { useMay } from '../../parts/me.ts';
import { RecordField } from '../../parts/record-field.tsx';
import { shortId } from '../../parts/short-id.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { Choice, Field, FormWindow, LongField } from '../../parts/window.tsx';
import { canHandOver, HandoverWindow } from './handover-window.tsx';

/** An open incident comes first, then the next step, and what ends the order last. */
const rankOf = (action: (typeof commandRows)[number]): number => {
  if (action.name === 'resolve') return -1;
  return action.change.isNext ? 0 : action.asks ? 2 : 1;
};

/** Buttons for what can be done next. The service validates, as it does for the command line. */
export const OrderActions = ({ order }: { order: Order }) => {
  const may = useMay();
  const queries = useQueryClient();
  const [open, setOpen] = useState<OrderCommand>();
  const [isHandingOver, setHandingOver] = useState(false);
  const withCommandId = useCommandIds();
  useRecords(may('dispatcher')); // a window that asks for a carrier has them at once
  const recordId = useRecordId();
  if (!may('dispatcher')) return null;
  const incidents = incidentsOf(order);
  const offered = commandRows
    .filter(
      ({ name, call, change: { from } }) =>
        call?.label !== undefined &&
        (from as readonly string[]).includes(order.status) &&
        (name !== 'seal' || order.items.length <= sealsMax) &&
        (name !== 'resolve' || incidents.length > 0),
    )
    .toSorted((one, other) => rankOf(one) - rankOf(other));
  // an open dialog stays, with its text and its error, when the order changes meanwhile
  if (offered.length === 0 && !open && !isHandingOver) return null;
  const changed = () => queries.invalidateQueries({ queryKey: ['order', order.id] });
  const submit = async ({ call, fields = [] }: OrderCommand, form: FormData) => {
    const { rpc } = call!;
    const values: [name: string, value: unknown][] = [];
    for (const { name, kind, isOptional } of fields) {
      const value = kind === 'lines' ? form.getAll(name) : form.get(name);
      const record = recordInPlaceOf(fields, name);
      const id = record && (await recordId(record.record!.of, `${value}`, carrierOf(order)));
      if (record && id) values.push([record.name, id]);
      else if (kind !== 'record' && !(isOptional && value === ''))
        values.push([name, kind === 'entry' ? Number(value) : value]);
    }
    await withCommandId(rpc, (commandId) =>
      sendOrderCommand(rpc, { orderId: order.id, commandId }, Object.fromEntries(values)),
    );
    await changed();
  };
  return (
    <section aria-label="What can be done" className="actions start">
      {offered.map((action) => (
        <button
          key={action.call!.rpc}
          type="button"
          className={
            action === offered[0] && !action.asks ? '' : action.asks ? 'quiet danger' : 'quiet'
          }
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
          {(open.fields ?? []).map((field) => (
            <CommandInput
              key={field.name}
              of={field}
              order={order}
              record={recordInPlaceOf(open.fields!, field.name)}
            />
          ))}
          {open.change.to === 'CLOSED' && incidents.length > 0 && (
            <p className="error">
              {incidents.length === 1 ? 'An incident is' : `${incidents.length} incidents are`} not
              resolved. The order can be closed all the same.
            </p>
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

/** The input of a field by its kind, or one for each item. @param record that may take its place. */
const CommandInput = ({
  of: { name, kind, label, max, choices, isOptional },
  order,
  record,
}: {
  of: CommandField;
  order: Order;
  record: CommandField | undefined;
}) => {
  const input = { label: label!, name, maxLength: max, required: !isOptional };
  switch (kind) {
    case 'lines':
      return sealLabels(order).map((text) => <Field {...input} key={text} label={text} />);
    case 'text':
      return <LongField {...input} />;
    case 'choice':
      return (
        <Choice
          label={label!}
          name={name}
          options={[['', 'not given'], ...choices!.map((one) => [one, one] as const)]}
        />
      );
    case 'entry':
      return (
        <Choice
          label={label!}
          name={name}
          options={incidentsOf(order).map(
            ({ entry, kind: what, severity }) =>
              [entry, `entry ${entry}: ${what}, ${severity}`] as const,
          )}
        />
      );
    case 'record':
      return null; // it is chosen by its name
    default:
      return record ? (
        <RecordField
          {...input}
          of={record.record!.of}
          towns={[order.pickupLocation?.city, order.dropoffLocation?.city]}
          carrier={carrierOf(order)}
        />
      ) : (
        <Field {...input} />
      );
  }
};

/** One label for each item; an order without items has one seal. */
const sealLabels = ({ items }: Order): string[] =>
  items.length === 0
    ? ['Seal']
    : items.map(({ goodsType }, n) => `Seal of item ${n + 1}, ${goodsType}`);
