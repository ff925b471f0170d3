import { type FormEvent, useState } from 'react';
import { t } from '../parts/words.ts';
import type { KnownOrder } from './known-orders.ts';
import type { Next } from './next-step.ts';
import type { Shift } from './shift.ts';
import type { Step } from './steps.ts';

/** The form of the next step: its fields, and one large button. */
export const StepForm = ({
  next,
  known,
  shift,
  onRecord,
}: {
  next: Next;
  known: KnownOrder;
  shift: Shift;
  onRecord: (step: Step) => Promise<void>;
}) => {
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    await onRecord(stepOf(next, shift, known, new FormData(event.currentTarget))).finally(() =>
      setBusy(false),
    );
  };
  const seals = Array.from({ length: Math.max(1, known.order.items.length) }, (_, at) => at + 1);
  return (
    <form onSubmit={submit}>
      {next.name === 'seal' &&
        seals.map((number) => (
          <label className="field" key={number}>
            <span>{t('Seal {number}', { number })}</span>
            <input name="seal" required autoComplete="off" />
          </label>
        ))}
      {next.name === 'handover' && (
        <label className="field">
          <span>{t('Person')}</span>
          <input name="person" autoComplete="off" />
        </label>
      )}
      <button type="submit" disabled={isBusy}>
        {t(next.name)}
      </button>
    </form>
  );
};

const stepOf = (next: Next, shift: Shift, { open }: KnownOrder, fields: FormData): Step => {
  if (next.name === 'seal')
    return { name: 'seal', sealIds: fields.getAll('seal').map((one) => `${one}`.trim()) };
  if (next.name !== 'handover') return next;
  const person = `${fields.get('person')}`.trim();
  const [carrier, other] = [
    { party: shift.carrier, role: 'courier', person: shift.driver },
    {
      party: next.stage === 'pickup' ? open.pickup!.label : open.dropoff!.label,
      role: next.stage === 'pickup' ? 'shipper' : 'consignee',
      ...(person !== '' && { person }),
    },
  ];
  return {
    name: 'handover',
    stage: next.stage,
    from: next.stage === 'pickup' ? other : carrier,
    to: next.stage === 'pickup' ? carrier : other,
    methods: ['id_checked'],
    scannedSealIds: null,
    picture: null,
  };
};
