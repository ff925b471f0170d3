import { boundedInput } from './bounded-input.ts';

/**
 * Location of a fault: `body`, `query`, `path` or `header`, then member names and list positions.
 */
export type Loc = readonly (string | number)[];

/**
 * One entry of `detail` in a 422 response (contract 2.6), in the words of pydantic (decision 1).
 */
export interface Fault {
  readonly type: string;
  readonly loc: Loc;
  readonly msg: string;
  /** The invalid value; omitted for headers, and above 1 KiB. */
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** Returned by a schema's read after it has added at least one fault. */
export const rejected: unique symbol = Symbol('rejected');
export type Rejected = typeof rejected;

/** Maximum number of faults in a response, because one body can contain 80,000 invalid items. */
const faultsMax = 1000;

/**
 * Collects the validation faults of one request, in the order of the schema's fields. Stores at
 * most 1000 faults; `count` includes faults that were added and not stored.
 */
export class Faults {
  readonly list: Fault[] = [];
  count = 0;

  add(fault: Fault): void {
    this.count++;
    if (this.count <= faultsMax) this.list.push(fault);
  }

  get full(): boolean {
    return this.count >= faultsMax;
  }
}

/** A value of a request, with the place where it is. */
export class Input {
  readonly value: unknown;
  readonly faults: Faults;
  private readonly key: string | number;
  private readonly parent: Input | undefined;

  constructor(value: unknown, key: string | number, faults: Faults, parent?: Input) {
    this.value = value;
    this.key = key;
    this.faults = faults;
    this.parent = parent;
  }

  /** Returns a member or an entry of this value. */
  at(key: string | number, value: unknown): Input {
    return new Input(value, key, this.faults, this);
  }

  /** Computed, because only a fault needs it and a body can have 13,500 items. */
  get loc(): Loc {
    return this.parent ? [...this.parent.loc, this.key] : [this.key];
  }

  /** Adds a fault of this value. Faults never contain a header's value. */
  reject(type: string, msg: string, ctx?: Fault['ctx']): Rejected {
    const { loc } = this;
    const input = loc[0] === 'header' ? {} : boundedInput(this.value);
    this.faults.add({ type, loc, msg, ...input, ...(ctx && { ctx }) });
    return rejected;
  }

  /**
   * Adds a fault for a rule that pydantic does not have, in the form of a validator's ValueError.
   */
  rejectByRule(reason: string): Rejected {
    return this.reject('value_error', `Value error, ${reason}`, { error: reason });
  }
}

/** A JSON Schema (2020-12), as OpenAPI 3.1 uses it. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * A type of value: the single source of its validation, its TypeScript type and its JSON Schema.
 */
export interface Schema<T> {
  /**
   * Returns the value for handlers, or `rejected` after adding at least one fault. Never throws.
   */
  read(input: Input): T | Rejected;
  readonly json: JsonSchema;
}

/** A member that may be absent. */
export interface Optional<T> extends Schema<T> {
  /** The value of an absent member. */
  readonly fallback: T;
}

export type Output<S> = S extends Schema<infer T> ? T : never;

/** Makes a member optional. `null` is accepted only if the schema is nullable. */
export function optional<T>(schema: Schema<T>): Optional<T | undefined>;
export function optional<T, const F>(schema: Schema<T>, fallback: F): Optional<T | F>;
export function optional<T>(schema: Schema<T>, fallback?: unknown): Optional<unknown> {
  const shown = fallback !== undefined && fallback !== null;
  return {
    ...schema,
    fallback,
    json: shown ? { ...schema.json, default: fallback } : schema.json,
  };
}

export const isOptional = (schema: Schema<unknown>): schema is Optional<unknown> =>
  'fallback' in schema;

/** Returns the schema with a description for documents. */
export const described = <S extends Schema<unknown>>(schema: S, description: string): S => ({
  ...schema,
  json: { ...schema.json, description },
});

/** Accepts the schema's values, and null. */
export const nullable = <T>({ read, json }: Schema<T>): Schema<T | null> => ({
  read: (input) => (input.value === null ? null : read(input)),
  json:
    typeof json.type === 'string' && !json.title && !json.enum
      ? { ...json, type: [json.type, 'null'] }
      : { anyOf: [json, { type: 'null' }] },
});

/** A member that may be absent or null: the contract calls it `X|null` and does not require it. */
export const maybe = <T>(schema: Schema<T>): Optional<T | null> => optional(nullable(schema), null);

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
