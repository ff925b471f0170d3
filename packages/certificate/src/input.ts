import type { ProofVerdict } from '@pto/custody-verifier';

export type Language = 'en' | 'de';

/** What a certificate is made of. */
export interface CertificateInput {
  readonly language: Language;
  /** The order as the partner API returns it, parsed from JSON. */
  readonly order: object;
  /** The proof file `custody-proof/1` of the same order, parsed from JSON. */
  readonly proof: object;
  /** The verdict on that proof file. */
  readonly verdict: ProofVerdict;
  /** URL for the QR code: the page that verifies the proof file; null: no QR code. */
  readonly verifyUrl: string | null;
  /** Pictures of handovers that the PDF shows beside their hash. */
  readonly pictures?: readonly Picture[];
}

/** A file of a handover; its SHA-256 was compared with the content. */
export interface Picture {
  readonly sha256: string;
  readonly content: Uint8Array;
}
