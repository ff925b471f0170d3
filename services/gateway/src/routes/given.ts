/** A member for an RPC's request, where it has a value: null and absent are one thing there. */
export const given = <K extends string, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [k in K]?: V };
