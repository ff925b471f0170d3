import { printable } from '@pto/custody-verifier/printable';
import { invalid } from '@pto/errors';

/**
 * Trims a name and verifies that it has `min` to `max` characters, all of them printable: no
 * control characters, line breaks or controls of the text direction, because lists, logs and mails
 * show the name on one line.
 * @throws Failure VALIDATION
 */
export const requireName = (text: string, { min, max }: { min: number; max: number }): string => {
  const name = text.trim();
  const length = [...name].length;
  if (length < min || length > max)
    throw invalid(['name'], `expected ${min} to ${max} characters`, text);
  if (printable(name) !== name)
    throw invalid(
      ['name'],
      'must not contain control characters, line breaks or controls of the text direction',
      text,
    );
  return name;
};
