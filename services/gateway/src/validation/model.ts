import {
  type Faults,
  isOptional,
  type JsonSchema,
  type Loc,
  type Output,
  rejected,
  type Schema,
} from './schema.ts';

type Fields = Readonly<Record<string, Schema<unknown>>>;
type Values<F extends Fields> = { readonly [K in keyof F]: Output<F[K]> };

interface Rules<F extends Fields> {
  /**
   * Checks a given member that its schema accepts; `before` has the accepted members before this
   * one. Returns the reason of a rejection, or undefined. The member's fault is added in the order
   * of the fields.
   */
  readonly member?: {
    readonly [K in keyof F]?: (
      value: Output<F[K]>,
      before: Partial<Values<F>>,
    ) => string | undefined;
  };
  /** Checks the complete object after all members are accepted. Adds a fault to reject it. */
  readonly whole?: (value: Values<F>, loc: Loc, faults: Faults, input: unknown) => void;
}

export interface Model<T> extends Schema<T> {
  readonly fields: Fields;
}

/** A JSON object. Members that are not named here are ignored (decision 1). */
export const model = <const F extends Fields>(
  fields: F,
  rules: Rules<F> = {},
  /** Further members of the JSON Schema; its `title` is the model's name in documents. */
  json: JsonSchema = {},
): Model<Values<F>> => {
  const members = Object.entries(fields);
  const read = (input: unknown, loc: Loc, faults: Faults) => {
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return faults.add(
        'model_attributes_type',
        loc,
        'Input should be a valid dictionary or object to extract fields from',
        { input },
      );
    const values: Record<string, unknown> = {};
    const before = faults.count;
    for (const [name, field] of members) {
      const value = readMember(input, name, field, [...loc, name], faults);
      if (value === rejected) continue;
      const reason = rules.member?.[name]?.(value as never, values as Partial<Values<F>>);
      if (reason === undefined || !Object.hasOwn(input, name)) values[name] = value;
      else faults.addRule([...loc, name], reason, (input as Values<F>)[name]);
    }
    if (faults.count === before) rules.whole?.(values as Values<F>, loc, faults, input);
    return faults.count === before ? (values as Values<F>) : rejected;
  };
  return {
    fields,
    read,
    json: {
      type: 'object',
      properties: Object.fromEntries(members.map(([name, { json }]) => [name, json])),
      required: members.flatMap(([name, field]) => (isOptional(field) ? [] : [name])),
      ...json,
    },
  };
};

const readMember = (
  input: object,
  name: string,
  field: Schema<unknown>,
  loc: Loc,
  faults: Faults,
): unknown => {
  if (Object.hasOwn(input, name))
    return field.read((input as Record<string, unknown>)[name], loc, faults);
  return isOptional(field)
    ? field.fallback
    : faults.add('missing', loc, 'Field required', { input });
};

/** A JSON array whose entries all have one schema. */
export const list = <T>(entry: Schema<T>, { min = 0 } = {}): Schema<readonly T[]> => ({
  read: (input, loc, faults) => {
    if (!Array.isArray(input))
      return faults.add('list_type', loc, 'Input should be a valid list', { input });
    if (input.length < min)
      return faults.add(
        'too_short',
        loc,
        `List should have at least ${min} item${min === 1 ? '' : 's'} after validation, not ${input.length}`,
        { input, ctx: { field_type: 'List', min_length: min, actual_length: input.length } },
      );
    const values: T[] = [];
    let sound = true;
    for (const [n, one] of input.entries()) {
      if (faults.full) return rejected;
      const value = entry.read(one, [...loc, n], faults);
      if (value === rejected) sound = false;
      else values.push(value);
    }
    return sound ? values : rejected;
  },
  json: { type: 'array', items: entry.json, ...(min > 0 && { minItems: min }) },
});
