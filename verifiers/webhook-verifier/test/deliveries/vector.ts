/** One test vector, as it stands in the files of `vectors/`. */
export interface Vector {
  readonly name: string;
  readonly input: {
    /** The raw body: its text, or base64 where the bytes are no text. */
    readonly body: string | { readonly base64: string };
    /** `X-Service-Signature`; null where the request has none. */
    readonly header: string | null;
    readonly secrets: readonly string[];
    /** Seconds since the epoch. */
    readonly now: number;
  };
  readonly expect:
    | { readonly valid: true; readonly event: string }
    | { readonly valid: false; readonly reason: string };
}

export const rawBodyOf = ({ input: { body } }: Vector): Buffer =>
  typeof body === 'string' ? Buffer.from(body) : Buffer.from(body.base64, 'base64');
