import { useAddress } from './use-address.ts';
import { visibleText } from './visible-text.ts';
import { t } from './words.ts';

/**
 * A choice that is a parameter of the page's address.
 * @param options values with their words; the first one, '', stands for no parameter and for a value
 *   that is none of them.
 */
export const AddressSelect = ({
  name,
  label,
  options,
}: {
  name: string;
  label: string;
  options: readonly (readonly [value: string, words: string])[];
}) => {
  const address = useAddress();
  return (
    <select
      aria-label={t(label)}
      value={address.get(name)}
      onChange={({ target: { value } }) => address.set({ [name]: value })}
    >
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {visibleText(t(words))}
        </option>
      ))}
    </select>
  );
};

/** The states or statuses of a list as options, each in small letters, after all of them. @param plural their name. */
export const wordsOf = (
  plural: string,
  values: readonly string[],
): (readonly [string, string])[] => [
  ['', `All ${plural}`],
  ...values.map((one) => [one, one.replaceAll('_', ' ').toLowerCase()] as const),
];
