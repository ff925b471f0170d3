import type { OperatorRole } from '@pto/proto/callers';

/** Who calls: a person or program whose credential was verified for this request (decision 59). */
export interface Operator {
  /** UUID of the personal token, or of the person. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  readonly credential: 'token' | 'oidc';
  /** The credential's end. */
  readonly expiresAt: Date;
}
