/** Processes with their own certificates (decision 58). */
export declare const processNames: readonly ProcessName[];
export type ProcessName = 'gateway' | 'operators' | 'orders' | 'custody' | 'auditor' | 'webhooks';

/** Roles of operators (decision 59). No role implies another. */
export declare const operatorRoles: readonly OperatorRole[];
export type OperatorRole = 'support' | 'dispatcher' | 'admin' | 'auditor';

/** The callers that one RPC allows. */
export interface Callers {
  /** Processes that may call for themselves. */
  readonly services: readonly ProcessName[];
  /** Operators with one of these roles may call through the operators service. */
  readonly roles: readonly OperatorRole[];
  /**
   * Path of the request's field that identifies the object of the call, such as
   * `circumstances.orderId`.
   */
  readonly target: string;
  /** Set if anyone may call through the operators service without a credential. */
  readonly anyone?: true;
}

/**
 * The allowed callers of each RPC: processes by their certificates, operators by role. Operators
 * call through the operators service; no other process may call for an operator.
 */
export declare const callers: Readonly<Record<string, Readonly<Record<string, Callers>>>>;

/**
 * The caller of an RPC: a process, identified by its certificate, for itself or for an operator.
 */
export interface Caller {
  readonly process: ProcessName;
  /** The operator's name, verified by the operators service. */
  readonly operator?: string | undefined;
}

/**
 * Whether a process may call an RPC. The operators service may call for an operator what at least
 * one role allows; it must have checked the operator's roles.
 */
export declare const mayCall: (service: string, rpc: string, caller: Caller) => boolean;
