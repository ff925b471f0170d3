import { Failure, invalid } from '@pto/errors';
import {
  type CallingCarrier,
  type CallingDriver,
  callers,
  type GrantedRole,
  grantedRoles,
  type Role,
} from '@pto/proto/callers';

/** The caller: a person or program whose credential was verified for this request (decision 59). */
export interface Operator {
  /** UUID of the personal token, or of the person who signed in. */
  readonly id: string;
  readonly name: string;
  readonly roles: readonly Role[];
  readonly credential: 'token' | 'oidc' | 'device';
  /** Time at which the credential expires. */
  readonly expiresAt: Date;
  /** Names the sign-in with OpenID: a nonce, or a whole ID token. Absent for other credentials. */
  readonly signIn?: string;
  /** UUID of the session of the console; absent if the operator calls with the credential itself. */
  readonly sessionId?: string;
  /** Set for a driver, whose only role is `driver` (decision 84). */
  readonly driver?: CallingDriver;
  /** Set for a carrier's dispatcher, whose only role is `carrier`. */
  readonly carrier?: CallingCarrier;
}

export const isRole = (text: string): text is GrantedRole =>
  (grantedRoles as readonly string[]).includes(text);

/**
 * Requires at least one role, and no unknown role. The role `carrier` stands alone.
 * @returns the roles without duplicates, in the order of `grantedRoles`.
 * @throws Failure VALIDATION
 */
export const requireRoles = (names: readonly string[]): GrantedRole[] => {
  const unknown = names.find((name) => !isRole(name));
  if (unknown !== undefined || names.length === 0)
    throw invalid(['roles'], `expected some of ${grantedRoles.join(', ')}`, unknown);
  const roles = grantedRoles.filter((role) => names.includes(role));
  if (roles.includes('carrier') && roles.length > 1)
    throw invalid(['roles'], 'the role carrier goes with no other', names);
  return roles;
};

/** Returns the roles that may call the RPC; none for an RPC without a row in `proto/callers.ts`. */
const rolesFor = (service: string, rpc: string): readonly Role[] =>
  callers[service]?.[rpc]?.roles ?? [];

export const isPermitted = (operator: Operator, service: string, rpc: string): boolean =>
  rolesFor(service, rpc).some((role) => operator.roles.includes(role));

/** Returns the failure OPERATOR_NOT_PERMITTED, which names the roles that may call the RPC. */
export const notPermitted = (operator: Operator, service: string, rpc: string): Failure => {
  const needed = rolesFor(service, rpc);
  const held = operator.roles.join(', ') || 'no role';
  return new Failure(
    'OPERATOR_NOT_PERMITTED',
    needed.length === 0
      ? `No role of operators permits ${service}/${rpc}.`
      : `This needs the role ${needed.join(' or ')}; ${operator.name} has ${held}.`,
    { details: { required_roles: needed } },
  );
};
