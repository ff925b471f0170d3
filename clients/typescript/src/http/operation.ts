/** One call of the API, before it is sent. */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Relative to the base URL, with a slash in front. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  /**
   * Whether a request that may have been executed can be sent again: reads, and writes that the
   * service executes once however often they come. Without it only a 429 is repeated.
   */
  readonly repeatable: boolean;
}

/** A path with its parameters encoded. */
export const path = (parts: TemplateStringsArray, ...values: readonly string[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(value)));
