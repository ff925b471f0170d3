import { partyRoles } from '@pto/proto/vocabulary';
import type { ReactNode } from 'react';
import { wordOf } from '../parts/badge.tsx';
import { Choice } from '../parts/choice.tsx';
import { t } from '../parts/words.ts';
import { CodeField, faultOf } from './code-field.tsx';
import { filesOf } from './draft.ts';
import { missingOf, type Stage, sealsOf } from './next-step.ts';
import { PhotoField } from './photo-field.tsx';
import { pictureOf } from './picture.ts';
import { SealScan, scannedIn } from './seal-scan.tsx';
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

/** The parts of the form for each method, in the order of the hand. */
const partsOf = (seals: readonly string[]): Readonly<Record<string, () => ReactNode>> => ({
  code: () => <CodeField />,
  scan: () => <SealScan seals={seals} />,
  signature: () => <Signature />,
  pin: () => <Tick method="pin">{wordOf('pin')}</Tick>,
  id_checked: () => <Tick method="id_checked">{t('I have checked the identity')}</Tick>,
  photo: () => <PhotoField />,
});

const Tick = ({ method, children }: { method: string; children: ReactNode }) => (
  <label className="tick">
    <input type="checkbox" name="method" value={method} />
    <span>{children}</span>
  </label>
);

/** Who hands the goods to whom, and how it is confirmed: what is required stands first. */
export const HandoverFields = ({
  known,
  records,
  shift,
  stage,
  frame,
}: StepProps & { stage: Stage; frame: Frame }) => {
  const seals = sealsOf(known, records);
  const missing = missingOf(known, records, stage);
  const isTransfer = stage === 'transfer';
  const needsPerson =
    stage !== 'pickup' && ['signature', 'id_checked'].some((method) => missing.includes(method));
  const { label } = stage === 'dropoff' ? known.open.dropoff! : known.open.pickup!;
  const parts = Object.entries(partsOf(seals));
  const required = parts.filter(([method]) => missing.includes(method));
  const isOffered: Readonly<Record<string, boolean>> = {
    ...{ code: !isTransfer, scan: seals.length > 0, pin: false },
  };
  return frame(
    <fieldset className="step">
      <legend>{isTransfer ? t('Transfer') : `${t('Handover')}: ${wordOf(stage)}`}</legend>
      {[
        ...required.map(([method, part]) => (
          <section key={method} className="part required">
            <h2>{t('Required: {method}', { method: wordOf(method) })}</h2>
            {part()}
          </section>
        )),
        <section key="person" className={needsPerson ? 'part required' : 'part'}>
          <h2>{needsPerson ? t('Required: {method}', { method: t('name') }) : t('The person')}</h2>
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
        </section>,
        <section key="more" className="part">
          <h2>{required.length > 0 ? t('If you have it, too') : t('At least one of these')}</h2>
          {parts
            .filter(([method]) => !missing.includes(method) && isOffered[method] !== false)
            .map(([method, part]) => (
              <div key={method}>{part()}</div>
            ))}
        </section>,
      ]}
    </fieldset>,
    async (fields) => {
      const text = (name: string) => `${fields.get(name) ?? ''}`.trim();
      const [person, role, methods] = [text('person'), text('role'), fields.getAll('method')];
      const party = isTransfer ? text('party') : label;
      const [photo, signature] = ['photo', 'signature'].map(
        (name) => filesOf(fields.getAll(name))[0],
      );
      const scanned = scannedIn(text('scanned'));
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
