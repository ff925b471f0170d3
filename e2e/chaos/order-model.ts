/**
 * The order state machine as the decisions state it ("Order states"), written a second time: the
 * checker must not share a mistake with the service. Pure.
 */
export const commandNames = [
  'submit',
  'assign',
  'decline',
  'accept',
  'driver',
  'releaseDriver',
  'startPickup',
  'seal',
  'startTransport',
  'deliver',
  'close',
  'cancel',
  'incident',
  'escalate',
  'update',
  'handover',
  'condition',
  'erase',
] as const;
export type CommandName = (typeof commandNames)[number];

/** `create` makes a SUBMITTED order, `createDraft` a DRAFT; `read` reports the status. */
export type Action = CommandName | 'create' | 'createDraft' | 'read';

/**
 * ABSENT before the creation. `sequence` counts the order's events; `personal`: an entry has personal
 * data that was not erased.
 */
export interface OrderState {
  readonly status: string;
  readonly sequence: number;
  readonly personal: boolean;
}

export const absent: OrderState = { status: 'ABSENT', sequence: 0, personal: false };

/** The commands with one status before and one after them. */
type Move = Exclude<
  CommandName,
  'cancel' | 'incident' | 'escalate' | 'update' | 'handover' | 'condition' | 'erase'
>;

/** The statuses, and the type of the custody entry. */
const moves: Readonly<Record<Move, readonly [from: string, to: string, entry: string]>> = {
  submit: ['DRAFT', 'SUBMITTED', 'ORDER_SUBMITTED'],
  assign: ['SUBMITTED', 'ASSIGNED', 'ORDER_ASSIGNED'],
  decline: ['ASSIGNED', 'SUBMITTED', 'ASSIGNMENT_DECLINED'],
  accept: ['ASSIGNED', 'ACCEPTED', 'ORDER_ACCEPTED'],
  driver: ['ACCEPTED', 'DRIVER_ASSIGNED', 'DRIVER_ASSIGNED'],
  releaseDriver: ['DRIVER_ASSIGNED', 'ACCEPTED', 'DRIVER_RELEASED'],
  startPickup: ['DRIVER_ASSIGNED', 'PICKUP_STARTED', 'PICKUP_STARTED'],
  seal: ['PICKUP_STARTED', 'SEALED', 'SEAL_APPLIED'],
  startTransport: ['SEALED', 'IN_TRANSIT', 'TRANSPORT_STARTED'],
  deliver: ['IN_TRANSIT', 'DELIVERED', 'CUSTODY_TRANSFERRED'],
  close: ['DELIVERED', 'CLOSED', 'ORDER_CLOSED'],
};

/** The status that a custody entry leads to, by its type; absent: the status stays. */
export const statusAfter: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.values(moves).map(([, to, entry]) => [entry, to])),
  ORDER_CANCELLED: 'CANCELLED',
};

const cancellable = ['DRAFT', 'SUBMITTED', 'ASSIGNED', 'ACCEPTED', 'DRIVER_ASSIGNED'];

/** Commands whose entry has personal data. */
const personal: readonly Action[] = ['driver', 'releaseDriver', 'incident', 'escalate', 'handover'];

/** The state after an accepted action; null where the order rejects the action. */
export const after = (state: OrderState, action: Action): OrderState | null => {
  const { status, sequence } = state;
  const next = (to: string): OrderState => ({
    status: to,
    sequence: sequence + 1,
    personal: action !== 'erase' && (state.personal || personal.includes(action)),
  });
  if (action === 'create' || action === 'createDraft') {
    if (status !== 'ABSENT') return state; // a replay
    return action === 'create' ? next('SUBMITTED') : { ...state, status: 'DRAFT' };
  }
  if (status === 'ABSENT') return null;
  if (action === 'read') return state;
  if (action === 'cancel') return cancellable.includes(status) ? next('CANCELLED') : null;
  if (action === 'update') return status === 'DRAFT' ? state : next(status); // decision 8
  if (action === 'incident' || action === 'escalate')
    return status === 'DRAFT' ? null : next(status);
  // of the stage `pickup`
  if (action === 'handover')
    return ['PICKUP_STARTED', 'SEALED'].includes(status) ? next(status) : null;
  if (action === 'condition')
    return ['DRAFT', 'CLOSED', 'CANCELLED'].includes(status) ? null : next(status);
  if (action === 'erase') {
    if (!state.personal) return state; // nothing to erase
    return ['CLOSED', 'CANCELLED'].includes(status) ? next(status) : null;
  }
  const [from, to] = moves[action];
  return status === from ? next(to) : null;
};

/** The command that leads on from a status; null at the end. */
export const onward = (status: string): CommandName | null => {
  const back: readonly string[] = ['decline', 'releaseDriver'];
  const found = Object.entries(moves).find(
    ([name, [from]]) => from === status && !back.includes(name),
  );
  return (found?.[0] ?? null) as CommandName | null;
};
