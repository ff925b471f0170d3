import { useState } from 'react';
import { visibleText } from '../parts/visible-text.ts';
import { t } from '../parts/words.ts';
import { differenceOf } from './next-step.ts';
import { Scan } from './scanner.tsx';

/** The seals at the door against those of the order: each is scanned, or read and tapped. */
export const SealScan = ({
  seals,
  scanned,
  onScan,
}: {
  seals: readonly string[];
  scanned: readonly string[];
  onScan: (scanned: readonly string[]) => void;
}) => {
  const [typed, setTyped] = useState('');
  const add = (code: string) => {
    const seal = code.trim();
    if (seal === '' || scanned.includes(seal)) return undefined;
    const all = [...scanned, seal];
    onScan(all);
    return differenceOf(seals, all) === null;
  };
  const difference = scanned.length > 0 ? differenceOf(seals, scanned) : null;
  return (
    <div className="seal-scan">
      <Scan label={t('Scan the seals')} onCode={add} />
      <div className="pair">
        <label className="field">
          <span>{t('Or type a seal')}</span>
          <input
            value={typed}
            maxLength={200}
            autoComplete="off"
            autoCapitalize="characters"
            onChange={(event) => setTyped(event.target.value)}
          />
        </label>
        <button
          type="button"
          className="quiet"
          onClick={() => {
            add(typed);
            setTyped('');
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
              onClick={() => onScan(scanned.filter((one) => one !== seal))}
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
