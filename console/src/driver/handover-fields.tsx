import { partyRoles } from '@pto/proto/vocabulary';
import { useState } from 'react';
import { wordOf } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { t } from '../parts/words.ts';
import { CodeField, faultOf } from './code-field.tsx';
import { missingOf, type Stage, sealsOf } from './next-step.ts';
import { PhotoField } from './photo-field.tsx';
import { pictureOf } from './picture.ts';
import { SealScan } from './seal-scan.tsx';
import { Signature } from './signature.tsx';
import type { Frame, StepProps } from './step-form.tsx';
import { when } from './when.ts';

const nameMax = 200;
const otherRole = {
  pickup: 'shipper',
  dropoff: 'consignee',
  return: 'shipper',
  transfer: 'courier',
};

/** Who hands the goods to whom, and how it is confirmed. */
export const HandoverFields = ({
  known,
  records,
  shift,
  stage,
  frame,
}: StepProps & { stage: Stage; frame: Frame }) => {
  const [photo, setPhoto] = useState<ImageBitmap | null>(null);
  const [signature, setSignature] = useState<HTMLCanvasElement | null>(null);
  const [scanned, setScanned] = useState<readonly string[]>([]);
  const seals = sealsOf(known, records);
  const missing = missingOf(known, records, stage);
  const isTransfer = stage === 'transfer';
  const { label } = stage === 'dropoff' ? known.open.dropoff! : known.open.pickup!;
  return frame(
    <fieldset className="step">
      <legend>{isTransfer ? t('Transfer') : `${t('Handover')}: ${wordOf(stage)}`}</legend>
      {missing.length > 0 && (
        <p>
          {t('Required before the next step: {methods}.', {
            methods: missing.map(wordOf).join(', '),
          })}
        </p>
      )}
      {isTransfer && (
        <label className="field">
          <span>{t('Who takes the goods (carrier or driver)')}</span>
          <input name="party" maxLength={nameMax} autoComplete="off" />
        </label>
      )}
      <label className="field">
        <span>{stage === 'pickup' ? t('Who hands them over') : t('Who receives them')}</span>
        <input name="person" maxLength={nameMax} autoComplete="off" autoCapitalize="words" />
      </label>
      <Choice
        name="role"
        label={t('Role')}
        options={partyRoles.map((role) => [role, wordOf(role)])}
        defaultValue={otherRole[stage]}
      />
      {['id_checked', ...missing.filter((method) => method === 'pin')].map((method) => (
        <label className="tick" key={method}>
          <input type="checkbox" name="method" value={method} />
          <span>{method === 'pin' ? wordOf(method) : t('I have checked the identity')}</span>
        </label>
      ))}
      {!isTransfer && <CodeField />}
      {seals.length > 0 && <SealScan seals={seals} scanned={scanned} onScan={setScanned} />}
      <PhotoField onPhoto={setPhoto} />
      <Signature onDraw={setSignature} />
    </fieldset>,
    async (fields) => {
      const text = (name: string) => `${fields.get(name) ?? ''}`.trim();
      const [person, role, methods] = [text('person'), text('role'), fields.getAll('method')];
      const party = isTransfer ? text('party') : label;
      if (party === '') return t('Enter who takes the goods.');
      if (stage !== 'pickup' && person === '' && (signature || methods.includes('id_checked')))
        return t('Enter the name of the person who signs or shows an identity.');
      const code = text('code');
      if (!signature && !photo && !code && scanned.length === 0 && methods.length === 0)
        return t('Add a code, a signature, a photo, scanned seals or a checked identity.');
      const fault = code === '' ? null : await faultOf(known.id, stage, code);
      if (fault !== null) return fault;
      const own = { party: shift.carrier, role: 'courier', person: shift.driver };
      const other = { party, role, ...(person !== '' && { person }) };
      const words = [person, when(new Date().toISOString())];
      return {
        ...{ name: 'handover', stage },
        from: stage === 'pickup' ? other : own,
        to: stage === 'pickup' ? own : other,
        methods: [
          ...methods.map(String),
          ...(code ? ['code'] : []),
          ...(scanned.length > 0 ? ['scan'] : []),
          ...(photo ? ['photo'] : []),
          ...(signature ? ['signature'] : []),
        ],
        scannedSealIds: scanned.length > 0 ? scanned : null,
        code: code || null,
        picture: await pictureOf(photo, signature, words),
      };
    },
  );
};
