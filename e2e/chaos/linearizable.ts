/**
 * Wing and Gong's check ("Testing and verifying concurrent objects", 1993) with Lowe's memory of
 * visited configurations: is there one order of the operations, each between its invocation and its
 * response, in which every response is right?
 */
export interface Operation {
  readonly invokedAt: number;
  /** Infinity: the operation may take effect at any later time, or never. */
  readonly returnedAt: number;
}

/** `undecided`: the search was ended at its bound. `placed`: the most operations that agreed. */
export type Verdict =
  | { readonly verdict: 'linearizable' }
  | { readonly verdict: 'not linearizable' | 'undecided'; readonly placed: number };

const configurationsMax = 200_000;

/**
 * @param apply the state after the operation, or null where its response contradicts the state.
 * @param keyOf equal for equal states.
 */
export const checkLinearizable = <S, O extends Operation>(
  operations: readonly O[],
  initial: S,
  apply: (state: S, operation: O) => S | null,
  keyOf: (state: S) => string,
): Verdict => {
  const seen = new Set<string>();
  const open: { done: bigint; placed: number; state: S }[] = [
    { done: 0n, placed: 0, state: initial },
  ];
  let best = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { done, placed, state } = at;
    const configuration = `${done} ${keyOf(state)}`;
    if (seen.has(configuration)) continue;
    seen.add(configuration);
    if (seen.size > configurationsMax) return { verdict: 'undecided', placed: best };
    best = Math.max(best, placed);
    const left = operations
      .map((operation, n) => ({ operation, bit: 1n << BigInt(n) }))
      .filter(({ bit }) => (done & bit) === 0n);
    const firstReturn = Math.min(...left.map(({ operation }) => operation.returnedAt));
    if (firstReturn === Number.POSITIVE_INFINITY) return { verdict: 'linearizable' };
    for (const { operation, bit } of left) {
      if (operation.invokedAt > firstReturn) continue;
      const next = apply(state, operation);
      if (next !== null) open.push({ done: done | bit, placed: placed + 1, state: next });
    }
  }
  return { verdict: 'not linearizable', placed: best };
};
