/** What operators do, in words. Pure. */
import { callers } from '@pto/proto/callers';

/**
 * The changes by their RPCs, in groups, as the end of a sentence about the operator; `{kind}` is the
 * target of the call, `{created}` what it created.
 */
export const changes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Orders: {
    SubmitOrder: 'submitted order {order}',
    AssignOrder: 'assigned order {order} to a carrier',
    DeclineAssignment: 'recorded that the carrier declined order {order}',
    AcceptOrder: 'accepted order {order}',
    AssignDriver: 'assigned a driver to order {order}',
    ReleaseDriver: 'released the driver of order {order}',
    StartPickup: 'started the pick-up of order {order}',
    RecordArrival: 'recorded an arrival for order {order}',
    ReportExpectedTime: 'reported the expected time of order {order}',
    ReportPosition: 'sent the position of the driver of order {order}',
    SealOrder: 'sealed order {order}',
    StartTransport: 'started the transport of order {order}',
    DeliverOrder: 'delivered order {order}',
    CloseOrder: 'closed order {order}',
    CancelOrder: 'cancelled order {order}',
    ReportIncident: 'reported an incident of order {order}',
    ResolveIncident: 'resolved an incident of order {order}',
    EscalateOrder: 'escalated order {order}',
    CheckHandoverCode: 'compared a code for order {order}',
    UnlockHandoverCode: 'unlocked a code of order {order}',
    WaiveEvidence: 'waived evidence of order {order}',
    UpdateOrder: 'changed the price or the notes of order {order}',
    RecordHandover: 'recorded a handover of order {order}',
    RecordCondition: 'recorded temperatures of order {order}',
    ErasePersonalData: 'erased the personal data of order {order}',
    CreateOrderLink: 'created a link to order {order}',
    EndOrderLinks: 'ended the links to order {order}',
    AcknowledgeViolations: 'acknowledged violations of order {order}',
  },
  'Carriers and drivers': {
    CreateCarrier: 'created the carrier {created}',
    UpdateCarrier: 'changed the carrier {carrier}',
    CreateDriver: 'created a driver of {carrier}',
    UpdateDriver: 'changed the driver {driver}',
    CreateDriverLink: 'created a link for the phone of {driver}',
    RevokeDevice: 'revoked the phone {id}',
  },
  'Organizations and keys': {
    CreateOrganization: 'created the organization {created}',
    SetOrganizationEnabled: 'enabled or disabled the access of {organization}',
    SetAdministrators: 'set the administrators of {organization}',
    IssueKey: 'issued a key to {organization}',
    RevokeKey: 'revoked the key {id}',
    RotateKey: 'rotated the key {id}',
    SetKeyAllowedCidrs: 'set the addresses of the key {id}',
    SetKeyLimits: 'set the limits of the key {id}',
    CreatePortalLink: 'created a link to the portal for {organization}',
    EndPortalSession: 'ended the portal session {id}',
    MoveOrganization: 'began the move of {organization}',
    CancelMove: 'cancelled the move of {organization}',
  },
  'Endpoints and messages': {
    SendTest: 'sent a test to endpoint {endpoint}',
    RepeatHandshake: 'repeated the handshake of endpoint {endpoint}',
    SetEndpointDisabled: 'enabled or disabled endpoint {endpoint}',
    RotateEndpointSecret: 'rotated the secret of endpoint {endpoint}',
    RecoverDeliveries: 'sent missed deliveries of endpoint {endpoint} again',
    ReplayDelivery: 'sent the delivery {id} again',
    ResealSecrets: 'encrypted the secrets of all endpoints again',
    ReplayDeadLetter: 'replayed the dead letter {id}',
    DiscardDeadLetter: 'discarded the dead letter {id}',
  },
  Operators: {
    StartSession: 'signed in',
    EndSession: 'signed out',
    IssueToken: 'issued a token to {created}',
    RevokeToken: 'revoked the token {operator}',
    BlockOperator: 'blocked {operator}',
    UnblockOperator: 'unblocked {operator}',
    'first-token': 'issued the first token to {name}',
  },
};

const rows = Object.assign({}, ...Object.values(changes)) as Readonly<Record<string, string>>;

/** What a field with the object of a call identifies. */
const kinds: Readonly<Record<string, string>> = {
  ...{ organizationId: 'organization', endpointId: 'endpoint' },
  ...{ orderId: 'order', carrierId: 'carrier', id: 'id' },
};
const idKinds: Readonly<Record<string, string>> = {
  GetOrganization: 'organization',
  ShowEndpoint: 'endpoint',
};

/** `ListOpenOrders` becomes `list open orders`. */
const split = (name: string): string => name.replace(/\B[A-Z]/g, ' $&').toLowerCase();

/** Returns what an RPC does, as the end of a sentence; a read is named alone. @param rpc with its service. */
export const wordsOf = (rpc: string): string => {
  const [service = '', name = rpc] = rpc.split('/');
  const row = rows[name];
  if (row !== undefined) return row;
  const target = callers[service]?.[name]?.target ?? '';
  return `read: ${split(name)}${target && ` {${idKinds[name] ?? kinds[target] ?? 'name'}}`}`;
};

/** Returns what an RPC creates, such as `key`; empty: nothing. */
export const createdBy = (rpc: string): string => {
  const [service = '', name = ''] = rpc.split('/');
  return callers[service]?.[name]?.created?.split('.')[0] ?? '';
};

/** Names of the RPCs that only read, sorted. */
export const reads: readonly string[] = [
  ...new Set(
    Object.values(callers).flatMap((rpcs) =>
      Object.keys(rpcs).filter((name) => rpcs[name]!.roles.length > 0 && !(name in rows)),
    ),
  ),
].toSorted();

/** Returns the words of a choice for an action. */
export const choiceOf = (name: string): string =>
  (rows[name] ?? split(name)).replace(/(?: (?:to|of|for))? \{\w+\}/, '');
