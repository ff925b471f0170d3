import { type CommandField, type OrderCommand, recordInPlaceOf } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import type { ReactNode } from 'react';
import { incidentsOf } from '../../board/columns.ts';
import { carrierOf } from '../../board/suggest.ts';
import { changesOf } from '../../board/use-board.ts';
import { sendOrderCommand } from '../../calls/send-order-command.ts';
import type { WithCommandId } from '../../calls/use-command-ids.ts';
import { useRecordId } from '../../parts/carriers.ts';
import { Choice } from '../../parts/choice.tsx';
import { RecordField } from '../../parts/record-field.tsx';
import { shortId } from '../../parts/short-id.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { Field, FormWindow, LongField } from '../../parts/window.tsx';

/** What a command's window needs of its order, which a card of the board has for some commands. */
export type Commanded = Pick<
  Order,
  'id' | 'externalId' | 'openIncidentsJson' | 'transportOrganization' | 'carrierId'
> &
  Partial<Pick<Order, 'items' | 'pickupLocation' | 'dropoffLocation'>>;

/** Asks for what a command needs, and sends it. @param children what it says beside its fields. */
export const CommandWindow = ({
  command: { asks, call, fields = [] },
  order,
  withCommandId,
  onClose,
  children,
}: {
  command: OrderCommand;
  order: Commanded;
  withCommandId: WithCommandId;
  onClose: () => void;
  children?: ReactNode;
}) => {
  const recordId = useRecordId();
  const { rpc, label } = call!;
  const submit = async (form: FormData) => {
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
  };
  return (
    <FormWindow
      title={`${label}: ${visibleText(order.externalId ?? shortId(order.id))}`}
      verb={asks ? 'Cancel the order' : label!}
      isRepeatable
      isDangerous={asks !== undefined}
      onClose={onClose}
      changes={changesOf(order.id)}
      submit={submit}
    >
      {children}
      {fields.map((field) => (
        <CommandInput
          key={field.name}
          of={field}
          order={order}
          record={recordInPlaceOf(fields, field.name)}
        />
      ))}
      <p className="faint">
        {asks
          ? 'A cancelled order cannot be opened again.'
          : 'The step is recorded in the history and cannot be undone.'}
      </p>
    </FormWindow>
  );
};

/** The input of a field by its kind, or one for each item. @param record that may take its place. */
const CommandInput = ({
  of: { name, kind, label, max, choices, isOptional },
  order,
  record,
}: {
  of: CommandField;
  order: Commanded;
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
    case 'entry': {
      const open = incidentsOf(order);
      if (open.length === 1) return <input type="hidden" name={name} value={open[0]!.entry} />;
      return (
        <Choice
          label={label!}
          name={name}
          options={open.map(
            ({ entry, kind: what, severity }) =>
              [entry, `entry ${entry}: ${what}, ${severity}`] as const,
          )}
        />
      );
    }
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
const sealLabels = ({ items = [] }: Commanded): string[] =>
  items.length === 0
    ? ['Seal']
    : items.map(({ goodsType }, n) => `Seal of item ${n + 1}, ${goodsType}`);
