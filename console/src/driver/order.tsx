import { underWay } from '@pto/proto/order-commands';
import { useCallback, useState } from 'react';
import { flushSync } from 'react-dom';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';
import { Goods } from './goods.tsx';
import { type Next, nextStep, type Stop, statusOf, stopOf } from './next-step.ts';
import { Place } from './place.tsx';
import { usePosition } from './position.ts';
import { CallOffice, RecordList } from './record-list.tsx';
import type { OfOrder } from './records.ts';
import type { Shift } from './shift.ts';
import { Stands } from './standing.tsx';
import { StepForm } from './step-form.tsx';
import { openStore, recordsOf, useStored } from './store.ts';

/** One order: what is next, where, and what to carry. */
export const OrderPage = ({ id, shift }: { id: string; shift: Shift }) => {
  const { driverId } = shift;
  const read = useCallback(async () => {
    const known = await (await openStore()).get('orders', [driverId, id]);
    return { known, records: await recordsOf(driverId, id) };
  }, [driverId, id]);
  const stored = useStored(read);
  if (!stored) return <main aria-busy="true" />;
  const { known, records } = stored;
  return (
    <main>
      {known ? (
        <Known known={known} records={records} shift={shift} />
      ) : (
        <>
          <title>{t('Not your order')}</title>
          <h1>{t('Not your order')}</h1>
          <p>{t('This phone has no such order of yours.')}</p>
          <RecordList records={records} shift={shift} />
        </>
      )}
    </main>
  );
};

const Known = ({ known, records, shift }: OfOrder) => {
  /** A step out of turn. */
  const [other, setOther] = useState<Next | null>(null);
  const [leftOut, setLeftOut] = useState<Stop | null>(null);
  const { open, isGone } = known;
  const status = statusOf(known, records);
  usePosition(!isGone && (underWay as readonly string[]).includes(status) ? known.id : null);
  const stop = stopOf(status);
  const next = isGone ? null : nextStep(known, records, leftOut);
  const shown = other ?? next;
  const back = () => setOther(null);
  const cancel = () => {
    flushSync(back);
    document.querySelector<HTMLElement>('.others summary')?.focus({ preventScroll: true });
  };
  const count = records.filter(({ step }) => step.name === shown?.name).length;
  const step = JSON.stringify([shift.driverId, known.id, shown, count]);
  const title = `${open.pickup!.city} – ${open.dropoff!.city}`;
  const about = (
    <>
      {stop === 'pickup' && <Place of={open.pickup!} title={t('Pick-up')} />}
      <Place of={open.dropoff!} title={t('Drop-off')} />
      {stop === 'dropoff' && (
        <details className="place">
          <summary>
            <Text of={`${t('Pick-up')}: ${open.pickup!.label}`} />
          </summary>
          <Place of={open.pickup!} title={t('Pick-up')} />
        </details>
      )}
      <Goods known={known} records={records} />
      {next && !other && (
        <details className="others">
          <summary>{t('More')}</summary>
          {next.name === 'arrive' && (
            <button type="button" className="quiet" onClick={() => setLeftOut(stop)}>
              {t('Go on without the arrival')}
            </button>
          )}
          {outOfTurn(status).map(([text, step]) => (
            <button key={text} type="button" className="quiet" onClick={() => setOther(step)}>
              {text}
            </button>
          ))}
        </details>
      )}
      {records.length > 0 && <h2>{t('Your records')}</h2>}
      <RecordList records={records} shift={shift} />
    </>
  );
  return (
    <>
      <title>{title}</title>
      <h1>
        <Text of={title} />
      </h1>
      <p className="standing">
        <Stands of={{ known, records, status }} />
        <Text of={open.externalId ?? open.id.slice(0, 8)} />
      </p>
      {isGone && <Gone status={status} shift={shift} />}
      {shown ? (
        <StepForm
          key={step}
          name={step}
          {...{ next: shown, known, records, shift }}
          onDone={back}
          onCancel={other ? cancel : undefined}
        >
          {about}
        </StepForm>
      ) : (
        about
      )}
    </>
  );
};

/** Returns the steps that are possible beside the one that comes. */
const outOfTurn = (status: string): readonly (readonly [text: string, step: Next])[] => [
  [t('Report an incident'), { name: 'incident' }],
  [t('Record a temperature'), { name: 'condition' }],
  ...(status === 'IN_TRANSIT'
    ? [
        [
          t('Transfer to another carrier or driver'),
          { name: 'handover', stage: 'transfer' },
        ] as const,
      ]
    : []),
  ...(['IN_TRANSIT', 'DELIVERED'].includes(status)
    ? [[t('Return the goods'), { name: 'handover', stage: 'return' }] as const]
    : []),
];

/** Why an order is no longer among the driver's. */
const Gone = ({ status, shift }: { status: string; shift: Shift }) =>
  status === 'CLOSED' ? (
    <p className="notice good">{t('This transport is complete.')}</p>
  ) : (
    <div className="notice">
      <p>
        {status === 'CANCELLED'
          ? t('The office has cancelled this order.')
          : t('The office has given this order to somebody else.')}
      </p>
      <CallOffice shift={shift} />
    </div>
  );
