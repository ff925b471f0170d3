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
  /** The invalid value; omitted for headers. */
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
    const input = loc[0] === 'header' ? {} : { input: this.value };
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
