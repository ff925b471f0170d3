import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import { type Flow, type Given, sealsMax } from '../../board/flows.ts';
import { suggest } from '../../board/suggest.ts';
import { shortId } from '../../parts/short-id.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { Field, FormWindow } from '../../parts/window.tsx';

export const nameOf = ({ externalId, id }: Pick<OpenOrder, 'externalId' | 'id'>): string =>
  visibleText(externalId ?? shortId(id));

/** Asks for what the next step of one or several orders needs. @param all the orders of the board. */
export const StepWindow = ({
  orders,
  flow,
  all,
  onClose,
  onGiven,
}: {
  orders: readonly OpenOrder[];
  flow: Flow;
  all: readonly OpenOrder[];
  onClose: () => void;
  onGiven: (given: Given) => void;
}) => {
  const [first] = orders;
  const of = orders.length === 1 ? nameOf(first!) : `${orders.length} orders`;
  const submit = async (form: FormData) =>
    onGiven({
      transportOrganization: `${form.get('transportOrganization') ?? ''}`,
      driver: `${form.get('driver') ?? ''}`,
      sealIds: form.getAll('sealIds').map(String),
      andNext: form.has('andNext'),
    });
  const name = (field: 'transportOrganization' | 'driver', label: string, isOptional = false) => (
    <Field
      label={label}
      name={field}
      maxLength={200}
      required={!isOptional}
      suggestions={suggest(all, first!, field)}
      {...(isOptional && { hint: 'If the carrier has agreed: accepts, and assigns the driver.' })}
    />
  );
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
          {name('transportOrganization', 'Transport organization')}
          {name('driver', 'Driver', true)}
        </>
      )}
      {flow.asks === 'driver' && name('driver', 'Driver')}
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
      {flow.next && (
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

/** Whether the step can be done for these orders together: seals and deliveries are of one order. */
export const isPossible = (orders: readonly OpenOrder[], flow: Flow): boolean =>
  orders.length === 1 ? flow.asks !== 'seals' || orders[0]!.itemCount <= sealsMax : !flow.isFinal;
