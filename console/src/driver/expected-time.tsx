import { nextStopOf } from '@pto/proto/order-commands';
import { useState } from 'react';
import { t } from '../parts/words.ts';
import { orders } from './calls.ts';
import { textOf } from './failure-words.ts';
import type { KnownOrder } from './known-orders.ts';
import { reasonOf } from './reason.ts';
import { when } from './when.ts';

const dayMs = 24 * 3600 * 1000;

/** When the order is expected at its next stop, and the driver's own word for it (decision 87). */
export const ExpectedTime = ({ known, status }: { known: KnownOrder; status: string }) => {
  const [told, setTold] = useState<string>();
  const [problem, setProblem] = useState('');
  const stop = nextStopOf(status);
  if (!stop) return null;
  const { pickupEta, dropoffEta } = known.open;
  const expected = told ?? (stop === 'pickup' ? pickupEta : dropoffEta);
  const tell = async (clock: string) => {
    const [hours, minutes] = clock.split(':').map(Number);
    if (minutes === undefined) return;
    const at = new Date();
    at.setHours(hours!, minutes, 0, 0);
    // a time that is long over is one of tomorrow
    if (Date.now() - at.getTime() > dayMs / 2) at.setTime(at.getTime() + dayMs);
    setProblem('');
    try {
      await orders.reportExpectedTime({ orderId: known.id, stop, at: at.toISOString() });
      setTold(at.toISOString());
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
