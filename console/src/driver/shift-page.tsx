import { useState } from 'react';
import { chooseLanguage } from '../parts/language.ts';
import { useCommand } from '../parts/use-command.ts';
import { useMinute } from '../parts/use-minute.ts';
import { shownLanguage, t } from '../parts/words.ts';
import { NotSent } from './bar.tsx';
import { Facts } from './goods.tsx';
import { PositionSetting } from './position-question.tsx';
import { reasonOf } from './reason.ts';
import { Problem } from './record-list.tsx';
import { endShift, renewShift, type Shift } from './shift.ts';
import { when } from './when.ts';

/** A shift that ends within this time can be extended, in ms. */
const extendedMs = 2 * 3_600_000;

/** Returns whether a shift ends soon. */
export const endsSoon = ({ expiresAt }: Shift, now: number): boolean =>
  Date.parse(expiresAt) - now < extendedMs;

/** Whose shift it is, until when, and what is set on this phone. */
export const ShiftPage = ({ shift, onEnd }: { shift: Shift; onEnd: () => void }) => {
  const now = useMinute();
  const [isEnding, setEnding] = useState(false);
  const { error, isBusy, run } = useCommand(() => {});
  const other = shownLanguage() === 'de' ? 'en' : 'de';
  const end = () =>
    run(async () => {
      await endShift(shift);
      onEnd();
    });
  return (
    <main>
      <title>{t('Shift')}</title>
      <h1>{t('Shift')}</h1>
      <Facts
        of={[
          [t('Driver'), shift.driver],
          [t('Carrier'), shift.carrier],
          [t('Ends'), when(shift.expiresAt)],
        ]}
      />
      {error !== undefined && (
        <p className="error" role="alert">
          <Problem of={reasonOf(error)} />
        </p>
      )}
      {endsSoon(shift, now) && (
        <button type="button" disabled={isBusy} onClick={() => run(() => renewShift(shift))}>
          {t('Extend the shift')}
        </button>
      )}
      <PositionSetting />
      <button type="button" className="link" lang={other} onClick={() => chooseLanguage(other)}>
        {other === 'de' ? 'Deutsch' : 'English'}
      </button>
      {isEnding ? (
        <div className="ending" role="alert">
          <NotSent driverId={shift.driverId} />
          <p>{t('This phone forgets the orders. You need a new link to begin again.')}</p>
          <button type="button" disabled={isBusy} onClick={end}>
            {t('Yes, end the shift')}
          </button>
          <button type="button" className="quiet" onClick={() => setEnding(false)}>
            {t('Back')}
          </button>
        </div>
      ) : (
        <div className="ending">
          <button type="button" className="quiet" onClick={() => setEnding(true)}>
            {t('End the shift')}
          </button>
        </div>
      )}
    </main>
  );
};
