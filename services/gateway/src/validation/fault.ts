/** Where a fault is: `body`, `query`, `path` or `header`, then member names and list positions. */
export type Loc = readonly (string | number)[];

/** One entry of a 422 answer's `detail` (contract 2.6), in the words of pydantic (decision 1). */
export interface Fault {
  readonly type: string;
  readonly loc: Loc;
  readonly msg: string;
  /** The offending value; left out for headers. */
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** What a schema's read gives back after it has added its faults. */
export const rejected: unique symbol = Symbol('rejected');
export type Rejected = typeof rejected;

/** A response reports at most this many faults: 80,000 empty items fit into one body. */
const faultsMax = 1000;

/** Collects the faults of one request, in the order of its fields. */
export class Faults {
  readonly list: Fault[] = [];
  /** Includes the faults beyond the reported ones. */
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

  /** A rule of ours, told as pydantic tells a validator's ValueError. */
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
