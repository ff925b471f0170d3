import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { useState } from 'react';
import { type Flow, type Given, sealsMax } from '../../board/flows.ts';
import { carrierOf } from '../../board/suggest.ts';
import { useRecordId } from '../../parts/carriers.ts';
import { useMaySend } from '../../parts/me.ts';
import { RecordField } from '../../parts/record-field.tsx';
import { shortId } from '../../parts/short-id.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { Field, FormWindow } from '../../parts/window.tsx';

export const nameOf = ({ externalId, id }: Pick<OpenOrder, 'externalId' | 'id'>): string =>
  visibleText(externalId ?? shortId(id));

/** Asks for what the next step of one or several orders needs. */
export const StepWindow = ({
  orders,
  flow,
  onClose,
  onGiven,
}: {
  orders: readonly OpenOrder[];
  flow: Flow;
  onClose: () => void;
  onGiven: (given: Given) => void;
}) => {
  const [first] = orders;
  const recordId = useRecordId();
  const mayNext = useMaySend()(flow.asks === 'seals' ? 'startTransport' : 'closeOrder');
  const [typed, setTyped] = useState('');
  const carrier = flow.asks === 'carrier' ? { name: typed } : carrierOf(first!);
  const towns = [first!.pickup?.city, first!.dropoff?.city];
  const of = orders.length === 1 ? nameOf(first!) : `${orders.length} orders`;
  const submit = async (form: FormData) => {
    const text = (name: string) => `${form.get(name) ?? ''}`;
    const [transportOrganization, driver] = [text('transportOrganization'), text('driver')];
    onGiven({
      ...{ transportOrganization, driver },
      carrierId: transportOrganization && (await recordId('carrier', transportOrganization)),
      driverId: driver && (await recordId('driver', driver, carrier)),
      sealIds: form.getAll('sealIds').map(String),
      andNext: form.has('andNext'),
    });
  };
  const ofDriver = { of: 'driver', label: 'Driver', name: 'driver', towns, carrier } as const;
  return (
    <FormWindow
      title={`${flow.verb}: ${of}`}
      verb={flow.verb}
      isRepeatable
      onClose={onClose}
      submit={submit}
    >
      {flow.asks === 'carrier' && (
        <>
          <RecordField
            of="carrier"
            label="Transport organization"
            name="transportOrganization"
            required
            towns={towns}
            onTyped={setTyped}
          />
          <RecordField
            {...ofDriver}
            required={false}
            hint="If the carrier has agreed: accepts, and assigns the driver."
          />
        </>
      )}
      {flow.asks === 'driver' && <RecordField {...ofDriver} required />}
      {flow.asks === 'seals' &&
        Array.from({ length: Math.max(1, first!.itemCount) }, (_, n) => (
          <Field
            // biome-ignore lint/suspicious/noArrayIndexKey: the number of the item
            key={n}
            label={first!.itemCount > 1 ? `Seal of item ${n + 1}` : 'Seal'}
            name="sealIds"
            maxLength={200}
            required
          />
        ))}
      {flow.asks === 'confirmation' && (
        <p>The goods are handed over at {visibleText(first!.dropoff!.label)}.</p>
      )}
      {flow.next && mayNext && (
        <label className="check">
          <input type="checkbox" name="andNext" defaultChecked />
          <span>{flow.next}</span>
        </label>
      )}
      <p className="faint">
        {flow.isFinal
          ? 'The step is recorded in the history and cannot be undone.'
          : 'You can take it back for 5 seconds.'}
      </p>
    </FormWindow>
  );
};

/** Whether the step can be done for these orders together: seals and deliveries are of one order, a driver of one carrier. */
export const isPossible = ([first, ...others]: readonly OpenOrder[], flow: Flow): boolean =>
  others.length === 0
    ? flow.asks !== 'seals' || first!.itemCount <= sealsMax
    : !flow.isFinal &&
      (flow.asks !== 'driver' ||
        others.every((one) => one.transportOrganization === first!.transportOrganization));
