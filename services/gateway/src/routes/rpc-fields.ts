/** Fields of an RPC's request. A value that is null or undefined gets no field: Protobuf has no null. */

/** Returns an object with this field. */
export const given = <K extends string, V>(name: K, value: V | null | undefined) =>
  (value === null || value === undefined ? {} : { [name]: value }) as { [k in K]?: V };

type Table = Readonly<Record<string, { readonly field: string }>>;

/** Returns the fields that a table of names (order-texts.ts) gives to these texts. */
export const fieldsOf = <T extends Table>(
  table: T,
  values: { readonly [Name in keyof T]?: string | null | undefined },
) => {
  const fields = Object.entries(table).map(([name, { field }]) => given(field, values[name]));
  return Object.assign({}, ...fields) as { [Name in keyof T as T[Name]['field']]?: string };
};
