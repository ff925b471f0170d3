/** Returns an object with this member; empty for null, because an RPC's request has no null. */
export const given = <K extends string, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [k in K]?: V };
