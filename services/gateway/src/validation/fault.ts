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
  /** Number of added faults, stored or not. */
  count = 0;

  add(
    type: string,
    loc: Loc,
    msg: string,
    more: { input?: unknown; ctx?: Readonly<Record<string, unknown>> } = {},
  ): Rejected {
    this.count++;
    if (this.count <= faultsMax) this.list.push({ type, loc, msg, ...more });
    return rejected;
  }

  /**
   * Adds a fault for a rule that pydantic does not have, in the form of a validator's ValueError.
   */
  addRule(loc: Loc, reason: string, input: unknown): Rejected {
    return this.add('value_error', loc, `Value error, ${reason}`, {
      input,
      ctx: { error: reason },
    });
  }

  get full(): boolean {
    return this.count >= faultsMax;
  }
}
