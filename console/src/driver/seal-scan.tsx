import { useRef, useState } from 'react';
import { visibleText } from '../parts/visible-text.ts';
import { t } from '../parts/words.ts';
import { isSeal } from './code-field.tsx';
import { fill } from './draft.ts';
import { differenceOf } from './next-step.ts';
import { Scan } from './scanner.tsx';

/** Returns the seals of the form's `scanned`. */
export const scannedIn = (json: string): readonly string[] => JSON.parse(json || '[]');

/** The seals at the door against those of the order: each is scanned, or read and tapped. */
export const SealScan = ({ seals }: { seals: readonly string[] }) => {
  const kept = useRef<HTMLInputElement>(null);
  const typed = useRef<HTMLInputElement>(null);
  const [scanned, setScanned] = useState<readonly string[]>([]);
  const keep = (all: readonly string[]) => fill(kept.current, JSON.stringify(all));
  const add = (code: string) => {
    const [before, seal] = [scannedIn(kept.current!.value), code.trim()];
    if (!isSeal(seal) || before.includes(seal)) return undefined;
    keep([...before, seal]);
    return differenceOf(seals, [...before, seal]) === null;
  };
  const difference = scanned.length > 0 ? differenceOf(seals, scanned) : null;
  return (
    <div className="seal-scan">
      <input
        hidden
        name="scanned"
        ref={kept}
        onChange={({ target: { value } }) => setScanned(scannedIn(value))}
      />
      <Scan label={t('Scan the seals')} onCode={add} />
      <div className="pair">
        <label className="field">
          <span>{t('Or type a seal')}</span>
          <input
            name="typed"
            ref={typed}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="characters"
          />
        </label>
        <button
          type="button"
          className="quiet"
          onClick={() => {
            add(typed.current!.value);
            fill(typed.current, '');
          }}
        >
          {t('Add')}
        </button>
      </div>
      <ul>
        {scanned.map((seal) => (
          <li key={seal} className={seals.includes(seal) ? 'good' : 'bad'}>
            {seals.includes(seal)
              ? t('{seal} is right', { seal: visibleText(seal) })
              : t('{seal} is not of this order', { seal: visibleText(seal) })}
            <button
              type="button"
              className="quiet"
              onClick={() => keep(scanned.filter((one) => one !== seal))}
            >
              {t('Remove')}
            </button>
          </li>
        ))}
      </ul>
      {difference ? (
        <p className="error" role="status">
          {difference.missing.length > 0 &&
            `${t('Not scanned: {seals}.', { seals: visibleText(difference.missing.join(', ')) })} `}
          {t('If you record it so, it is reported as an incident.')}
        </p>
      ) : (
        scanned.length > 0 && <p role="status">{t('All seals are right.')}</p>
      )}
    </div>
  );
};
