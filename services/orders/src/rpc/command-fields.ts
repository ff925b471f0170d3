import { invalid } from '@pto/errors';
import { type CommandField, commandRows, type orderCommands } from '@pto/proto/order-commands';
import { requireName, requireText, requireUuid } from './command-metadata.ts';

/** The rows whose requests have their metadata and plain fields alone. */
type Rows = typeof orderCommands;
type FieldName = {
  [Name in keyof Rows]: Rows[Name] extends { call: { word: string } } ? Name : never;
}[keyof Rows];
export type FieldRpc = Rows[FieldName]['call']['rpc'];

/** The commands whose requests have no other fields than those of their rows. */
export const fieldCommands = commandRows.filter(({ call }) => call?.word !== undefined);

/** Reads the fields of a command. @throws Failure VALIDATION at the field's name in the proto file */
export const readFields = (
  fields: readonly CommandField[] = [],
  request: object,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = (request as Readonly<Record<string, unknown>>)[field.name];
      return value === undefined ? [] : [[field.name, readField(field, value)]];
    }),
  );

const readField = (
  { name, kind, max, isOptional, choices }: CommandField,
  value: unknown,
): unknown => {
  const at = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  switch (kind) {
    case 'line':
      return requireName(value as string, at, max);
    case 'lines':
      return (value as readonly string[]).map((one) => requireName(one, at, max));
    case 'text':
      return requireText(value as string, at, max, isOptional ? 0 : 1);
    case 'record':
      return requireUuid(value as string, at);
    case 'price':
      return requirePrice(value as string, at);
    case 'choice':
      if (choices!.includes(value as string)) return value;
      throw invalid([at], `expected one of ${choices!.join(', ')}`, value);
    case 'entry':
      if ((value as number) > 0) return value;
      throw invalid([at], 'expected the number of an entry, from 1', value);
  }
};

/**
 * Requires a price with at most two decimals that fits into its column (decision 10).
 * @throws Failure VALIDATION
 */
const requirePrice = (text: string, at: string): string => {
  if (!/^\d{1,10}(\.\d{1,2})?$/.test(text))
    throw invalid([at], 'expected a price such as 12.50, at most 9999999999.99', text);
  return text;
};
