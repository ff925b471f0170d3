import { nearestIn, timeZoneOf } from '@pto/representation';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../parts/words.ts';
import { orders } from './calls.ts';
import { textOf } from './failure-words.ts';
import type { KnownOrder } from './known-orders.ts';
import type { Stop } from './next-step.ts';
import { reasonOf } from './reason.ts';
import { when } from './when.ts';

/** When the order is expected at its next stop, and the driver's own word for it (decision 87). */
export const ExpectedTime = ({ known, stop }: { known: KnownOrder; stop: Stop }) => {
  const [said, setSaid] = useState('');
  const [isOpen, setOpen] = useState(false);
  const time = useRef<HTMLInputElement>(null);
  const { pickupEta, dropoffEta } = known.open;
  const expected = stop === 'pickup' ? pickupEta : dropoffEta;
  const { country } = known.open[stop]!;
  const wordsOf = (at: string) => t('Expected at {time}', { time: when(at, country) });
  const open = () => {
    flushSync(() => setOpen(true));
    time.current!.focus();
  };
  const tell = async () => {
    const clock = time.current!.value;
    if (clock === '') return setOpen(false);
    const timeZone = timeZoneOf(country) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
    const at = new Date(nearestIn(timeZone, clock, Date.now())).toISOString();
    try {
      await orders.reportExpectedTime({ orderId: known.id, stop, at });
      setSaid(wordsOf(at));
      setOpen(false);
    } catch (error) {
      setSaid(textOf(reasonOf(error)));
    }
  };
  return (
    <div className="pair expected">
      <p role="status">{said || (expected && wordsOf(expected))}</p>
      {isOpen && (
        <label className="field">
          <span>{t('I will be there at')}</span>
          <input type="time" ref={time} />
        </label>
      )}
      <button type="button" className="quiet" onClick={isOpen ? tell : open}>
        {t(isOpen ? 'Report the time' : 'I will be there at …')}
      </button>
    </div>
  );
};
