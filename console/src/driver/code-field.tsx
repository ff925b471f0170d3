import { useRef } from 'react';
import { t } from '../parts/words.ts';
import { orders } from './calls.ts';
import { fill } from './draft.ts';
import { reasonOf } from './reason.ts';
import { Scan } from './scanner.tsx';

const form = /^\d{4}$/;
/** The QR code of the ward's page. */
const scanned = /^pto-code:(\d{4})$/;

/** The four digits that the ward's page shows, scanned or typed. */
export const CodeField = () => {
  const code = useRef<HTMLInputElement>(null);
  const read = (text: string) => {
    const [, found] = scanned.exec(text) ?? [];
    if (found === undefined) return undefined;
    fill(code.current, found);
    return true;
  };
  return (
    <div className="pair">
      <label className="field">
        <span>{t('Code of the other side, four digits')}</span>
        <input name="code" ref={code} inputMode="numeric" maxLength={4} autoComplete="off" />
      </label>
      <Scan label={t('Read the QR code')} onCode={read} />
    </div>
  );
};

/** Returns whether a scanned text is a seal: the ward's code beside it is none. */
export const isSeal = (text: string): boolean => text !== '' && !scanned.test(text);

/**
 * Returns why a code cannot be recorded; null: it is right, or the service cannot say, and checks it
 * when the record arrives. A wrong one is asked for again and makes no entry.
 */
export const faultOf = async (orderId: string, stage: string, code: string) => {
  if (!form.test(code)) return t('The code has four digits.');
  try {
    await orders.checkHandoverCode({ orderId, stage, code });
    return null;
  } catch (error) {
    const { subject, message } = reasonOf(error);
    if (subject !== 'code') return null;
    const [, left] = /(\d+) more lock/.exec(message) ?? [];
    return left === undefined
      ? t('The code is locked after five wrong ones. Ask the dispatcher to unlock it.')
      : t('This code is wrong. {count} more wrong ones lock it.', { count: left });
  }
};
