/** Returns an object with this member, or an empty one for null: an RPC's request has no null. */
export const given = <K extends string, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [k in K]?: V };
