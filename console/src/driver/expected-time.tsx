import { nextStopOf } from '@pto/proto/order-commands';
import { nearestIn } from '@pto/representation';
import { useState } from 'react';
import { t } from '../parts/words.ts';
import { orders } from './calls.ts';
import { textOf } from './failure-words.ts';
import type { KnownOrder } from './known-orders.ts';
import { reasonOf } from './reason.ts';
import { when } from './when.ts';

/** When the order is expected at its next stop, and the driver's own word for it (decision 87). */
export const ExpectedTime = ({ known, status }: { known: KnownOrder; status: string }) => {
  const [told, setTold] = useState<string>();
  const [problem, setProblem] = useState('');
  const stop = nextStopOf(status);
  if (!stop) return null;
  const { pickupEta, dropoffEta } = known.open;
  const expected = told ?? (stop === 'pickup' ? pickupEta : dropoffEta);
  const tell = async (clock: string) => {
    if (!/^\d\d:\d\d$/.test(clock)) return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const at = new Date(nearestIn(timeZone, clock, Date.now())).toISOString();
    setProblem('');
    try {
      await orders.reportExpectedTime({ orderId: known.id, stop, at });
      setTold(at);
    } catch (error) {
      setProblem(textOf(reasonOf(error)));
    }
  };
  return (
    <div className="pair">
      <label className="field">
        <span>{t('I will be there at')}</span>
        <input type="time" onBlur={(event) => event.target.value && tell(event.target.value)} />
      </label>
      <p role="status">
        {problem || (expected && t('Expected at {time}', { time: when(expected) }))}
      </p>
    </div>
  );
};
