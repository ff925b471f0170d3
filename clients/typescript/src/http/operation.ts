/** One call of the API, before it is sent. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path relative to the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /**
   * Whether the request can be sent again although it may have been executed. True for reads, and
   * for writes that the service executes only once. If false, only a 429 is repeated.
   */
  readonly repeatable: boolean;
}

/** Template tag: returns a path with its parameters encoded. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
