import type { ProofVerdict, TrustedKey } from '../../src/index.ts';

/** One test vector, as it stands in the files of `vectors/`. */
export interface Vector {
  readonly name: string;
  readonly input: {
    /** The file's JSON, or, where that would not show it, its text. */
    readonly file: unknown;
    readonly trusted_keys?: readonly TrustedKey[];
    readonly witnesses?: { readonly vkeys: readonly string[]; readonly quorum?: number };
    readonly seen?: {
      readonly head?: { readonly sequence: number; readonly hash: string };
      readonly checkpoint?: string;
      readonly consistency?: readonly string[];
    };
  };
  readonly expect: {
    readonly verdict: ProofVerdict['verdict'];
    readonly headline?: string;
    readonly limit?: string;
    readonly at?: string;
    readonly index?: number;
    readonly reason?: string;
  };
}
