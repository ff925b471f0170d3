/** What a check of `pto certify` is, and what it finds. */
import type { Trial } from './trial.ts';

/** One promise of the contract that the receiver or the integration must keep. */
export interface Check {
  /** The word of `--only` and of the report. */
  readonly name: string;
  /** What the check does and what it expects, as a sentence. */
  readonly does: string;
  /** What to do if it fails, as a sentence. */
  readonly fix: string;
  /** Section of the documentation site, such as `guides/custody#verify-a-proof-offline`. */
  readonly section: string;
  /** Returns what is missing for the check, as a sentence; null if it can run. */
  readonly missing?: (trial: Trial) => string | null | Promise<string | null>;
  /** Runs the check and records what it sees. @throws Unmet, TransportOrdersError */
  readonly run: (trial: Trial, seen: Seen) => Promise<void>;
}

/** Something other than a response is not as the contract says; the message says what. */
export class Unmet extends Error {}

/** A request to the receiver, and its response. */
export interface Attempt {
  /** What was sent, in words. */
  readonly what: string;
  /** Id of the delivery; null for a handshake. */
  readonly delivery: string | null;
  readonly event: string | null;
  readonly expected: Expected;
  /** Null without a complete response; `error` is the reason then. */
  readonly status: number | null;
  readonly error: string | null;
  /** The beginning of the response's body, printable; empty without one. */
  readonly response: string;
  readonly ms: number;
  readonly ok: boolean;
}

/** `lost`: the connection is ended before a response. */
export type Expected = '2xx' | '4xx' | 'lost';

/** What a check has seen. */
export class Seen {
  /** Name of the check. */
  readonly name: string;
  readonly attempts: Attempt[] = [];
  readonly orders: string[] = [];
  /** Facts beside the attempts, such as a verdict. */
  readonly facts: string[] = [];

  constructor(name: string) {
    this.name = name;
  }
}

export interface Result {
  readonly name: string;
  readonly result: 'passed' | 'failed' | 'skipped';
  readonly did: string;
  readonly saw: string;
  /** Null unless the check failed. */
  readonly fix: string | null;
  /** URL of the section of the documentation. */
  readonly documentation: string;
  readonly evidence: {
    readonly orders: readonly string[];
    readonly attempts: readonly Attempt[];
    readonly facts: readonly string[];
  };
}
