/** Processes with a certificate of their own (decision 58). */
export declare const processNames: readonly ProcessName[];
export type ProcessName =
  | 'gateway'
  | 'operator-gateway'
  | 'orders'
  | 'custody'
  | 'auditor'
  | 'webhooks';

/** What an operator may hold (decision 59). None implies another. */
export declare const operatorRoles: readonly OperatorRole[];
export type OperatorRole = 'support' | 'dispatcher' | 'admin' | 'auditor';

/** Who may call one RPC. */
export interface Callers {
  /** Processes that may call in their own name. */
  readonly services: readonly ProcessName[];
  /** Operators with one of these roles may call by the operator gateway. */
  readonly roles: readonly OperatorRole[];
  /** Path of the request's field that names what is acted on, such as `circumstances.orderId`. */
  readonly target: string;
  /** Every caller of the operator gateway may call it, without a credential. */
  readonly anyone?: true;
}

/**
 * Who may call each RPC: processes by the certificate they present, operators by role. Operators
 * come in by the operator gateway, which alone may call in their name.
 */
export declare const callers: Readonly<Record<string, Readonly<Record<string, Callers>>>>;

/** Who calls: a process by its certificate, in an operator's name or in its own. */
export interface Caller {
  readonly process: ProcessName;
  /** The operator's name, as the operator gateway verified it. */
  readonly operator?: string | undefined;
}

/**
 * Whether a process may call an RPC. The operator gateway may call in the name of an operator what
 * some role allows, once it has checked the operator's roles.
 */
export declare const mayCall: (service: string, rpc: string, caller: Caller) => boolean;
