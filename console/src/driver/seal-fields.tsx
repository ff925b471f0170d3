import { useState } from 'react';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';
import { Scan } from './scanner.tsx';
import type { Frame, StepProps } from './step-form.tsx';

const sealMax = 200;

/** One seal for each item, scanned or typed. A code that is scanned fills the first empty field. */
export const SealFields = ({ known, frame }: StepProps & { frame: Frame }) => {
  const { items } = known.order;
  const goods = items.length > 0 ? items.map(({ goodsType }) => goodsType) : [''];
  const [seals, setSeals] = useState<readonly string[]>(() => goods.map(() => ''));
  const isFull = seals.every((seal) => seal.trim() !== '');
  const scanned = (code: string) => {
    const empty = seals.findIndex((seal) => seal.trim() === '');
    const seal = code.trim().slice(0, sealMax);
    if (empty < 0 || seal === '' || seals.includes(seal)) return undefined;
    const filled = seals.with(empty, seal);
    setSeals(filled);
    return filled.every((one) => one !== '');
  };
  return frame(
    <fieldset className="step">
      <legend>{t('Seals')}</legend>
      <Scan label={t('Scan with the camera')} onCode={scanned} />
      {seals.map((seal, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a seal is that of an item's place
        <label className="field" key={at}>
          <span>
            {t('Seal {number}', { number: at + 1 })} {goods[at] && <Text of={goods[at]} />}
          </span>
          <input
            value={seal}
            maxLength={sealMax}
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="next"
            onChange={({ target: { value } }) => setSeals((before) => before.with(at, value))}
          />
        </label>
      ))}
    </fieldset>,
    async () => {
      const sealIds = seals.map((seal) => seal.trim());
      if (!isFull) return t('Enter a seal for each item.');
      if (new Set(sealIds).size < sealIds.length) return t('Two items have the same seal.');
      return { name: 'seal', sealIds };
    },
  );
};
