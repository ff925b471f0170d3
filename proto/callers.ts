/** Processes with their own certificates (decision 58). */
export const processNames = [
  'gateway',
  'operators',
  'orders',
  'custody',
  'auditor',
  'webhooks',
  'courier',
] as const;
export type ProcessName = (typeof processNames)[number];

/** Roles of operators (decision 59). No role implies another. */
export const operatorRoles = ['support', 'dispatcher', 'admin', 'auditor'] as const;
export type OperatorRole = (typeof operatorRoles)[number];

/** Roles that are granted: those, and that of a carrier's dispatcher, with one carrier (decision 84). */
export const grantedRoles = [...operatorRoles, 'carrier'] as const;
export type GrantedRole = (typeof grantedRoles)[number];

/** The role of a driver's session, which nobody grants (decision 84). */
export type Role = GrantedRole | 'driver';

/** The callers that one RPC allows. */
export interface Callers {
  /** Processes that may call for themselves. */
  readonly services: readonly ProcessName[];
  /**
   * Operators with one of these roles may call through the operators service; carriers and drivers
   * for their own orders and records alone.
   */
  readonly roles: readonly Role[];
  /**
   * Path of the request's field that identifies the object of the call, such as
   * `circumstances.orderId`; empty: none.
   */
  readonly target: string;
  /** Path of the response's field with the id of what the call creates, such as `key.id`. */
  readonly created?: string;
  /**
   * Set if its refreshes, or all calls of a command, are one row of the audit log per operator and
   * hour, whatever the request id.
   */
  readonly isHourly?: true;
  /** Set if anyone may call through the operators service without a credential. */
  readonly anyone?: true;
}

/**
 * The caller of an RPC: a process, identified by its certificate, for itself or for an operator.
 */
export interface Caller {
  readonly process: ProcessName;
  /** The operator's name, verified by the operators service. */
  readonly operator?: string | undefined;
  /**
   * Set if the operator is a driver, or the courier calls for one of the sandbox: the call is about
   * the driver's own orders alone.
   */
  readonly driver?: CallingDriver | undefined;
  /** Set if the operator is a carrier's dispatcher: the call is about the carrier's orders alone. */
  readonly carrier?: CallingCarrier | undefined;
}

/** The carrier of its dispatcher, verified by the operators service. */
export interface CallingCarrier {
  readonly carrierId: string;
}

/** A driver's session, verified by the operators service (decision 84). */
export interface CallingDriver extends CallingCarrier {
  readonly driverId: string;
  /** The public key of the phone that has the session, as in operators.v1.Device. */
  readonly key: string;
}

/** Allows processes to call an RPC. */
const by = (...services: readonly ProcessName[]): Callers => ({ services, roles: [], target: '' });
/** Allows operators to call an RPC. */
const operators = (target: string, ...roles: readonly Role[]): Callers => ({
  services: [],
  roles,
  target,
});
const order = (...roles: readonly Role[]): Callers => operators('circumstances.orderId', ...roles);
/** Who keeps the records of drivers: the office, and a carrier those of its own. */
const recordKeepers = ['dispatcher', 'admin', 'carrier'] as const;
/** Names the id of what a call creates: the audit log finds the call by it. */
const creating = (created: string, row: Callers): Callers => ({ ...row, created });
/** Allows operators a command on an order, and the courier, which exists in the sandbox only. */
const courierAnd = (row: Callers): Callers => ({ ...row, services: ['courier'] });

/** Allows the gateway as well, for partners. */
const gatewayAnd = (row: Callers): Callers => ({ ...row, services: ['gateway'] });

/**
 * The allowed callers of each RPC: processes by their certificates, operators by role. Operators
 * call through the operators service; no other process may call for an operator.
 */
export const callers: Readonly<Record<string, Readonly<Record<string, Callers>>>> = {
  'access.v1.AccessService': {
    CreateOrganization: creating('organization.id', operators('name', 'admin')),
    ListOrganizations: operators('', ...operatorRoles),
    GetOrganization: { services: ['webhooks'], roles: operatorRoles, target: 'id' },
    SetOrganizationEnabled: operators('id', 'admin'),
    SetAdministrators: operators('id', 'admin'),
    IssueKey: creating('key.id', operators('organizationId', 'admin')),
    ListKeys: operators('organizationId', ...operatorRoles),
    ListRequests: operators('organizationId', ...operatorRoles),
    RevokeKey: operators('id', 'admin'),
    RotateKey: creating('key.id', operators('id', 'admin')),
    SetKeyAllowedCidrs: operators('id', 'admin'),
    SetKeyLimits: operators('id', 'admin'),
    CreatePortalLink: creating('link.id', operators('organizationId', 'admin')),
    ListPortalSessions: operators('organizationId', ...operatorRoles),
    EndPortalSession: operators('id', 'admin'),
  },
  'access.v1.MoveService': {
    MoveOrganization: creating('move.id', operators('organizationId', 'admin')),
    CancelMove: operators('organizationId', 'admin'),
    ListMoves: operators('organizationId', ...operatorRoles),
  },
  'access.v1.PortalService': {
    CreateLink: by('gateway'),
    EndLinks: by('gateway'),
  },
  'access.v1.OwnKeyService': {
    ListOwnKeys: by('gateway'),
    RotateOwnKey: by('gateway'),
  },
  'access.v1.OrderLinkService': {
    CreateOrderLink: gatewayAnd(creating('link.id', operators('orderId', 'dispatcher', 'admin'))),
    ListOrderLinks: gatewayAnd(operators('orderId', ...operatorRoles)),
    EndOrderLinks: gatewayAnd(operators('orderId', 'dispatcher', 'admin')),
    CountOrderLinkView: by('gateway'),
  },
  'access.v1.PortalSessionService': {
    OpenSession: { ...by(), anyone: true },
    GetSession: { ...by(), anyone: true },
    EndSession: { ...by(), anyone: true },
  },
  'bus.v1.DeadLetterService': {
    ListDeadLetters: operators('topic', ...operatorRoles),
    ReplayDeadLetter: operators('id', 'dispatcher'),
    DiscardDeadLetter: operators('id', 'dispatcher'),
  },
  'courier.v1.CourierService': {
    ListSteps: by('gateway'),
    Advance: by('gateway'),
    StartRun: by('gateway'),
  },
  'custody.v1.CustodyService': {
    ListEvents: by('gateway'),
    ListOrganizationEvents: by('gateway'),
    WaitForOrganizationEvents: by('gateway'),
    GetProof: by('gateway'),
  },
  'custody.v1.LogService': {
    GetCheckpoint: by('gateway'),
    GetTile: by('gateway'),
    ListKeys: by('gateway'),
    GetStatus: by('gateway'),
  },
  'custody.v1.LedgerService': {
    VerifyChains: operators('orderId', 'auditor'),
    VerifyLog: operators('', 'auditor'),
    ExportChain: operators('orderId', ...operatorRoles),
    ShowLog: operators('', ...operatorRoles),
    ExportProof: operators('orderId', ...operatorRoles),
  },
  'orders.v1.OrderCommandService': {
    ShowOrder: courierAnd(operators('orderId', ...grantedRoles, 'driver')),
    FindOrders: operators('externalId', ...operatorRoles),
    SearchOrders: operators('text', ...operatorRoles),
    ListOpenOrders: courierAnd(operators('', ...grantedRoles, 'driver')),
    ListOrganizationOrders: operators('organizationId', ...operatorRoles),
    ExportArtifact: operators('orderId', ...operatorRoles),
    SubmitOrder: courierAnd(order('dispatcher')),
    AssignOrder: courierAnd(order('dispatcher')),
    DeclineAssignment: courierAnd(order('dispatcher', 'carrier')),
    AcceptOrder: courierAnd(order('dispatcher', 'carrier')),
    AssignDriver: courierAnd(order('dispatcher', 'carrier')),
    ReleaseDriver: courierAnd(order('dispatcher', 'carrier')),
    StartPickup: courierAnd(order('dispatcher', 'carrier', 'driver')),
    SealOrder: courierAnd(order('dispatcher', 'carrier', 'driver')),
    ReportExpectedTime: operators('orderId', 'dispatcher', 'driver'),
    EstimateArrival: by('operators'),
    RecordArrival: courierAnd(order('dispatcher', 'carrier', 'driver')),
    StartTransport: courierAnd(order('dispatcher', 'carrier', 'driver')),
    DeliverOrder: courierAnd(order('dispatcher', 'carrier', 'driver')),
    CloseOrder: courierAnd(order('dispatcher', 'driver')),
    CancelOrder: order('dispatcher'),
    ReportIncident: courierAnd(order('dispatcher', 'carrier', 'driver')),
    ResolveIncident: order('dispatcher'),
    EscalateOrder: courierAnd(order('dispatcher')),
    WaiveEvidence: courierAnd(order('dispatcher')),
    UpdateOrder: order('dispatcher'),
    RecordHandover: courierAnd(order('dispatcher', 'carrier', 'driver')),
    CheckHandoverCode: courierAnd(operators('orderId', 'driver')),
    UnlockHandoverCode: operators('orderId', 'dispatcher'),
    RecordCondition: order('dispatcher', 'driver'),
    ErasePersonalData: order('admin'),
    RecordDeviceRevocation: by('operators', 'courier'),
  },
  'orders.v1.CustodyEvidenceService': {
    ListHeads: by('custody', 'auditor'),
    ListUnreportedEvents: by('custody', 'auditor'),
  },
  'orders.v1.LocationService': {
    CreateLocation: by('gateway'),
    ListLocations: by('gateway'),
  },
  'orders.v1.OrderService': {
    CreateOrder: by('gateway'),
    GetOrder: by('gateway'),
    GetSequence: by('gateway'),
    ListOrders: by('gateway'),
    CancelOrder: by('gateway'),
    SubmitOrder: by('gateway'),
    RecordCondition: by('gateway'),
    GetArtifact: by('gateway'),
    GetHandoverCode: by('gateway', 'courier'),
    GetStatus: by('gateway'),
  },
  'orders.v1.ViolationService': {
    RecordViolations: by('auditor'),
    ListViolations: { services: ['auditor'], roles: ['support', 'admin', 'auditor'], target: '' },
    AcknowledgeViolations: operators('orderId', 'auditor'),
  },
  'webhooks.v1.WebhookService': {
    CreateEndpoint: by('gateway'),
    ListEndpoints: by('gateway'),
    GetEndpoint: by('gateway'),
    UpdateEndpoint: by('gateway'),
    DeleteEndpoint: by('gateway'),
    VerifyEndpoint: by('gateway'),
    TestEndpoint: by('gateway'),
    ListEndpointDeliveries: by('gateway'),
    ListDeliveriesOfOrder: by('gateway'),
    GetEndpointDelivery: by('gateway'),
    GetEndpointMetrics: by('gateway'),
    ReplayEndpointDelivery: by('gateway'),
    RecoverEndpoint: by('gateway'),
    RotateSecret: by('gateway'),
    SetRehearsal: by('gateway'),
    GetRehearsal: by('gateway'),
    GetStatus: by('gateway'),
    GetConnectivity: by('gateway'),
  },
  'webhooks.v1.DeliveryService': {
    ListOrganizationEndpoints: operators('organizationId', 'support', 'dispatcher', 'admin'),
    ListBreakingEndpoints: operators('', 'support', 'dispatcher', 'admin'),
    ListUntoldOrders: operators('', 'support', 'dispatcher', 'admin'),
    ShowEndpoint: operators('id', 'support', 'dispatcher', 'admin'),
    ListDeliveries: operators('endpointId', 'support', 'dispatcher', 'admin'),
    CountDeliveries: operators('endpointId', 'support', 'dispatcher', 'admin'),
    GetDelivery: operators('id', 'support', 'dispatcher', 'admin'),
    ListOrderDeliveries: operators('orderId', 'support', 'dispatcher', 'admin'),
    GetDeliveryBody: operators('id', 'support', 'dispatcher', 'admin'),
    SendTest: operators('id', 'support', 'dispatcher'),
    RepeatHandshake: operators('id', 'support', 'dispatcher'),
    SetEndpointDisabled: operators('id', 'dispatcher', 'admin'),
    RotateEndpointSecret: operators('id', 'admin'),
    RecoverDeliveries: operators('id', 'dispatcher'),
    ReplayDelivery: creating('delivery.id', operators('id', 'dispatcher')),
    ResealSecrets: operators('', 'admin'),
  },
  'operators.v1.SignInService': {
    GetSignIn: { ...by(), anyone: true },
  },
  'operators.v1.OperatorService': {
    WhoAmI: operators('', ...grantedRoles),
    CheckCredential: operators('', ...grantedRoles),
    StartSession: operators('', ...grantedRoles),
    EndSession: operators('', ...grantedRoles),
    IssueToken: creating('token.id', operators('name', 'admin')),
    ListTokens: operators('', 'admin', 'auditor'),
    RevokeToken: operators('id', 'admin'),
    ListOperators: operators('', 'admin', 'auditor'),
    BlockOperator: operators('id', 'admin'),
    UnblockOperator: operators('id', 'admin'),
  },
  'operators.v1.CarrierService': {
    ListCarriers: operators('', ...grantedRoles),
    CreateCarrier: creating('carrier.id', operators('name', 'dispatcher', 'admin')),
    UpdateCarrier: operators('id', 'dispatcher', 'admin'),
    ListDrivers: operators('carrierId', ...grantedRoles),
    CreateDriver: creating('driver.id', operators('carrierId', ...recordKeepers)),
    UpdateDriver: operators('id', ...recordKeepers),
  },
  'operators.v1.DriverService': {
    CreateDriverLink: operators('driverId', ...recordKeepers),
    ListDevices: operators('driverId', ...grantedRoles),
    RevokeDevice: operators('id', ...recordKeepers),
  },
  'operators.v1.DriverSessionService': {
    OpenDriverSession: { ...by(), anyone: true },
    GetDriverSession: { ...by(), anyone: true },
    RenewDriverSession: { ...by(), anyone: true },
    EndDriverSession: { ...by(), anyone: true },
  },
  'operators.v1.PositionService': {
    ReportPosition: { ...operators('orderId', 'driver'), isHourly: true },
    ListPositions: { ...operators('', 'support', 'dispatcher'), isHourly: true },
  },
  'operators.v1.StatusService': {
    GetMeasurements: { ...operators('', ...operatorRoles), isHourly: true },
  },
  'operators.v1.AuditService': {
    ListActions: operators('operator', 'auditor'),
  },
};

/**
 * Whether a process may call an RPC. The operators service may call for an operator what at least
 * one role allows; it must have checked the operator's roles.
 */
export const mayCall = (service: string, rpc: string, caller: Caller): boolean => {
  const row = callers[service]?.[rpc];
  if (!row) return false;
  if (row.services.includes(caller.process)) return true;
  if (caller.process !== 'operators' || !caller.operator) return false;
  if (caller.driver) return row.roles.includes('driver');
  if (caller.carrier) return row.roles.includes('carrier');
  return row.roles.some((role) => role !== 'driver' && role !== 'carrier');
};
