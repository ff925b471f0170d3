import { type Input, isOptional, type Output, rejected, type Schema } from './schema.ts';

type Fields = Readonly<Record<string, Schema<unknown>>>;
type Values<F extends Fields> = { readonly [K in keyof F]: Output<F[K]> };

interface Rules<F extends Fields> {
  /**
   * Checks a member that its schema accepts; `before` has the accepted members before this one.
   * Returns the reason of a rejection, or undefined. The member's fault is added in the order of
   * the fields.
   */
  readonly member?: {
    readonly [K in keyof F]?: (
      value: Output<F[K]>,
      before: Partial<Values<F>>,
    ) => string | undefined;
  };
  /** Checks the complete object after all members are accepted. Adds a fault to reject it. */
  readonly whole?: (value: Values<F>, input: Input) => void;
}

export interface Model<T> extends Schema<T> {
  readonly fields: Fields;
}

/**
 * A JSON object. Members of a request that are not named here are ignored (decision 1); responses
 * may get further members (decision 50), so the JSON Schema permits additional ones.
 * @param title the name of the schema in documents.
 */
export const model = <const F extends Fields>(
  title: string,
  fields: F,
  rules: Rules<F> = {},
): Model<Values<F>> => {
  const members = Object.entries(fields);
  const read = (input: Input) => {
    const { value: given, faults } = input;
    if (typeof given !== 'object' || given === null || Array.isArray(given))
      return input.reject(
        'model_attributes_type',
        'Input should be a valid dictionary or object to extract fields from',
      );
    const values: Record<string, unknown> = {};
    const before = faults.count;
    for (const [name, field] of members) {
      const value = Object.hasOwn(given, name)
        ? field.read(input.at(name, (given as Values<F>)[name]))
        : absent(field, input, name);
      if (value === rejected) continue;
      const reason = rules.member?.[name]?.(value as never, values as Partial<Values<F>>);
      if (reason === undefined) values[name] = value;
      else input.at(name, (given as Values<F>)[name]).rejectByRule(reason);
    }
    if (faults.count === before) rules.whole?.(values as Values<F>, input);
    return faults.count === before ? (values as Values<F>) : rejected;
  };
  return {
    fields,
    read,
    json: {
      title,
      type: 'object',
      properties: Object.fromEntries(members.map(([name, { json }]) => [name, json])),
      required: members.flatMap(([name, field]) => (isOptional(field) ? [] : [name])),
    },
  };
};

/** The parameters in a path, in a query or in headers. */
export const parameters = <const F extends Fields>(fields: F): Model<Values<F>> =>
  model('', fields);

/** Returns the value of an absent member, or adds the fault of a required one. */
export const absent = (field: Schema<unknown>, input: Input, name: string): unknown =>
  isOptional(field)
    ? field.fallback
    : input.at(name, input.value).reject('missing', 'Field required');

/** A JSON array whose entries all have one schema. */
export const list = <T>(entry: Schema<T>, { min = 0 } = {}): Schema<readonly T[]> => ({
  read: (input) => {
    const { value: given, faults } = input;
    if (!Array.isArray(given)) return input.reject('list_type', 'Input should be a valid list');
    if (given.length < min)
      return input.reject(
        'too_short',
        `List should have at least ${min} item${min === 1 ? '' : 's'} after validation, not ${given.length}`,
        { field_type: 'List', min_length: min, actual_length: given.length },
      );
    const values: T[] = [];
    const before = faults.count;
    for (const [n, one] of given.entries()) {
      if (faults.full) return rejected;
      const value = entry.read(input.at(n, one));
      if (value !== rejected) values.push(value);
    }
    return faults.count === before ? values : rejected;
  },
  json: { type: 'array', items: entry.json, ...(min > 0 && { minItems: min }) },
});
