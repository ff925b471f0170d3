import type { OperatorRole } from '@pto/proto/callers';

/** The caller: a person or program whose credential was verified for this request (decision 59). */
export interface Operator {
  /** UUID of the personal token, or of the person who signed in. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly OperatorRole[];
  readonly credential: 'token' | 'oidc';
  /** Time at which the credential expires. */
  readonly expiresAt: Date;
}
