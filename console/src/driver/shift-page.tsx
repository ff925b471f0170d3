import { useState } from 'react';
import { failureOf } from '../calls/failure.ts';
import { chooseLanguage } from '../parts/language.ts';
import { Text } from '../parts/text.tsx';
import { useCommand } from '../parts/use-command.ts';
import { useMinute } from '../parts/use-minute.ts';
import { shownLanguage, t } from '../parts/words.ts';
import { useWaiting } from './bar.tsx';
import { choosePosition, positionChoice } from './position.ts';
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
  const waiting = useWaiting(shift.driverId);
  const [isEnding, setEnding] = useState(false);
  const { error, isBusy, run } = useCommand(() => {});
  const [position, setPosition] = useState(positionChoice);
  const other = shownLanguage() === 'de' ? 'en' : 'de';
  const answer = position === 'yes' ? 'no' : 'yes';
  return (
    <main>
      <title>{t('Shift')}</title>
      <h1>{t('Shift')}</h1>
      <dl>
        <div>
          <dt>{t('Driver')}</dt>
          <dd>
            <Text of={shift.driver} />
          </dd>
        </div>
        <div>
          <dt>{t('Carrier')}</dt>
          <dd>
            <Text of={shift.carrier} />
          </dd>
        </div>
        <div>
          <dt>{t('Ends')}</dt>
          <dd>{when(shift.expiresAt)}</dd>
        </div>
      </dl>
      {error !== undefined && (
        <p className="error" role="alert">
          {failureOf(error).message || t('No answer. Try again.')}
        </p>
      )}
      {endsSoon(shift, now) && (
        <button type="button" disabled={isBusy} onClick={() => run(() => renewShift(shift))}>
          {t('Extend the shift')}
        </button>
      )}
      <button type="button" className="quiet" lang={other} onClick={() => chooseLanguage(other)}>
        {other === 'de' ? 'Deutsch' : 'English'}
      </button>
      <button
        type="button"
        className="quiet"
        onClick={() => {
          setPosition(answer);
          void choosePosition(answer);
        }}
      >
        {position === 'yes' ? t('Record no position') : t('Record the position')}
      </button>
      {isEnding && (
        <p className="notice" role="alert">
          {waiting > 0
            ? t(
                'Not sent: {count}. They stay on this phone until your next shift on it. Look for a network first.',
                { count: waiting },
              )
            : t('This phone forgets the orders. You need a new link to begin again.')}
        </p>
      )}
      {isEnding ? (
        <>
          <button
            type="button"
            disabled={isBusy}
            onClick={() =>
              run(async () => {
                await endShift();
                onEnd();
              })
            }
          >
            {t('Yes, end the shift')}
          </button>
          <button type="button" className="quiet" onClick={() => setEnding(false)}>
            {t('Back')}
          </button>
        </>
      ) : (
        <button type="button" className="quiet" onClick={() => setEnding(true)}>
          {t('End the shift')}
        </button>
      )}
    </main>
  );
};
