import { useState } from 'react';
import { Choice } from '../parts/choice.tsx';
import { t } from '../parts/words.ts';
import { fileMax, filesOf } from './draft.ts';
import type { Frame } from './step-form.tsx';
import type { ReadingsFile, Step } from './steps.ts';

type Condition = Extract<Step, { name: 'condition' }>;
const deviceMax = 128;
const remembered = 'thermometer';
const units = [
  ['celsius', '°C'],
  ['fahrenheit', '°F'],
] as const;

/** The temperature now, or the file of a logger. */
export const ConditionFields = ({ frame }: { frame: Frame }) => {
  const [isTooLarge, setTooLarge] = useState(false);
  const chosen = (input: HTMLInputElement) => {
    const isLarge = filesOf([...input.files!]).some(({ size }) => size > fileMax);
    setTooLarge(isLarge);
    if (isLarge) input.value = '';
  };
  return frame(
    <fieldset className="step">
      <legend>{t('Temperature')}</legend>
      <label className="field">
        <span>{t('Thermometer or logger')}</span>
        <input
          name="device"
          maxLength={deviceMax}
          autoComplete="off"
          defaultValue={localStorage.getItem(remembered) ?? ''}
        />
      </label>
      <label className="field">
        <span>{t('Temperature now')}</span>
        <input name="value" inputMode="text" autoComplete="off" maxLength={7} />
      </label>
      <Choice name="unit" label={t('Unit')} options={units} />
      <label className="field">
        <span>{t('Or the file of the logger (CSV)')}</span>
        <input
          name="file"
          type="file"
          accept=".csv,.ndjson,text/csv,application/x-ndjson"
          onChange={({ currentTarget }) => chosen(currentTarget)}
        />
      </label>
      {isTooLarge && (
        <p className="error" role="alert">
          {t('Choose a file of at most 5 MB.')}
        </p>
      )}
    </fieldset>,
    async (fields) => {
      const text = (name: string) => `${fields.get(name) ?? ''}`.trim();
      const [device, value] = [text('device'), text('value').replace(',', '.')];
      const [file] = filesOf(fields.getAll('file'));
      if (device === '') return t('Enter the name of the thermometer or logger.');
      if (!file && !/^[-−]?\d{1,3}(\.\d{1,2})?$/.test(value))
        return t('Enter a temperature such as 4.5, or choose a file.');
      localStorage.setItem(remembered, device);
      const readings = file ? await readFile(file) : oneReading(value.replace('−', '-'));
      return { name: 'condition', device, unit: text('unit') as Condition['unit'], readings };
    },
  );
};

const oneReading = (value: string): ReadingsFile => ({
  content: new TextEncoder().encode(`time,value\n${new Date().toISOString()},${value}\n`),
  mediaType: 'text/csv',
});

const readFile = async (file: File): Promise<ReadingsFile> => ({
  content: new Uint8Array(await file.arrayBuffer()),
  mediaType: /json/.test(file.name + file.type) ? 'application/x-ndjson' : 'text/csv',
});
