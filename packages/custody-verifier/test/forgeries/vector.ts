/** One test vector, as it stands in the files of `vectors/`. */
export interface Vector {
  readonly name: string;
  readonly input: {
    /** The file's JSON, or, where that would not show it, its text. */
    readonly file: unknown;
    readonly trusted_keys?: readonly string[];
    readonly seen?: {
      readonly head?: { readonly sequence: number; readonly hash: string };
      readonly checkpoint?: string;
      readonly consistency?: readonly string[];
    };
  };
  readonly expect: {
    readonly valid: boolean;
    readonly at?: string;
    readonly index?: number;
    readonly reason?: string;
    readonly remarks?: readonly string[];
  };
}
