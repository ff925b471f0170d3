import { useRef } from 'react';
import { Text } from '../parts/text.tsx';
import { t } from '../parts/words.ts';
import { isSeal } from './code-field.tsx';
import { fill } from './draft.ts';
import { Scan } from './scanner.tsx';
import type { Frame, StepProps } from './step-form.tsx';

const sealMax = 200;

/** One seal for each item, scanned or typed. A code that is scanned fills the first empty field. */
export const SealFields = ({ known, frame }: StepProps & { frame: Frame }) => {
  const { items } = known.order;
  const goods = items.length > 0 ? items.map(({ goodsType }) => goodsType) : [''];
  const list = useRef<HTMLFieldSetElement>(null);
  const scanned = (code: string) => {
    const fields = [...list.current!.querySelectorAll('input')];
    const [empty, ...more] = fields.filter(({ value }) => value.trim() === '');
    const seal = code.trim().slice(0, sealMax);
    if (!empty || !isSeal(seal) || fields.some(({ value }) => value === seal)) return undefined;
    fill(empty, seal);
    return more.length === 0;
  };
  return frame(
    <fieldset className="step" ref={list}>
      <legend>{t('Seals')}</legend>
      <Scan label={t('Scan with the camera')} onCode={scanned} isFirst />
      {goods.map((of, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a seal is that of an item's place
        <label className="field" key={at}>
          <span>
            <Text of={[t('Seal {number}', { number: at + 1 }), of].filter(Boolean).join(' · ')} />
          </span>
          <input
            name="seal"
            maxLength={sealMax}
            placeholder=" "
            autoComplete="off"
            autoCapitalize="characters"
            enterKeyHint="next"
          />
        </label>
      ))}
    </fieldset>,
    async (fields) => {
      const sealIds = fields.getAll('seal').map((seal) => `${seal}`.trim());
      if (sealIds.includes('')) return t('Enter a seal for each item.');
      if (new Set(sealIds).size < sealIds.length) return t('Two items have the same seal.');
      return { name: 'seal', sealIds };
    },
  );
};
