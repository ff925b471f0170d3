import { visibleText } from './visible-text.ts';
import { t } from './words.ts';

/** A labelled choice of a form. @param options values with their words. */
export const Choice = ({
  label,
  hint,
  options,
  ...select
}: {
  label: string;
  hint?: string;
  options: readonly (readonly [value: string | number, words: string])[];
} & React.SelectHTMLAttributes<HTMLSelectElement>) => (
  <label className="field">
    <span>{t(label)}</span>
    <select {...select}>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {visibleText(t(words))}
        </option>
      ))}
    </select>
    {hint && <small>{t(hint)}</small>}
  </label>
);
