/** An error of a rejected request, as the log of requests has it. */
export interface RequestError {
  /** Where it is, with dots, such as `body.pickup.address.zip`; empty: the request. */
  readonly field: string;
  /** A `type` of the entries of `detail` (decision 1), or a code of contract 7. */
  readonly type: string;
}

/** Errors of a request that the log has. */
export const loggedErrors = 10;

/** Returns the errors as the column `errors` has them: a line for each, the type before the field. */
export const errorLines = (errors: readonly RequestError[]): string | null =>
  errors.map(({ field, type }) => `${type} ${field}`).join('\n') || null;

export const errorsOf = (lines: string | null): RequestError[] =>
  (lines?.split('\n') ?? []).map((line) => {
    const space = line.indexOf(' ');
    return { type: line.slice(0, space), field: line.slice(space + 1) };
  });
