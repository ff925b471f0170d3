/**
 * The commands of an order's life, one row each (decisions, "Order states"). The state machine, the
 * operator's command line, the console and the courier read them here.
 */
import {
  type handoverStages,
  incidentKinds,
  type OrderStatus,
  orderStatuses,
  severities,
} from './vocabulary.ts';

/** A field that a command has besides its metadata. */
export interface CommandField {
  /** The field of the request, and of the state machine's command. */
  readonly name: string;
  /**
   * A `line` is printable; `lines` has one for each item; `entry` is the number of an entry; `record`
   * is the id of a carrier or driver.
   */
  readonly kind: 'line' | 'lines' | 'text' | 'price' | 'choice' | 'entry' | 'record';
  /** Maximum number of characters. */
  readonly max: number;
  /** The values of a `choice`; the first one is offered first. */
  readonly choices?: readonly string[];
  /** What the `record` is, and the line that it takes the place of: the line becomes its name. */
  readonly record?: { readonly of: 'carrier' | 'driver'; readonly fills: string };
  readonly isOptional?: true;
  /** The flag of the operator's command line, and its help. */
  readonly flag: string;
  readonly says: string;
  /** The label in the console; absent: the console has no field for it. */
  readonly label?: string;
}

export interface OrderCommand {
  /** The statuses in which it is permitted, and the one after it; `same`: it does not change. */
  readonly change: {
    readonly from: readonly OrderStatus[];
    readonly to: OrderStatus | 'same';
    /** It moves the order to its next status. */
    readonly isNext?: true;
  };
  /** Public type (contract 6.1) and internal type (decision 29) of the event. */
  readonly event: { readonly type: `order.${string}`; readonly entry: string };
  /**
   * RPC of OrderCommandService; verb of the operator's command line; button of the console. Absent:
   * the command follows from another one, or has a command or a window of its own.
   */
  readonly call?: { readonly rpc: string; readonly word?: string; readonly label?: string };
  /** Help of the operator's command line. */
  readonly does?: string;
  readonly fields?: readonly CommandField[];
  /** What a person confirms before the order ends, about `ORDER`. */
  readonly asks?: string;
  /** The custody of the goods changes: a person confirms it, and cannot take it back. */
  readonly movesCustody?: true;
}

/** The statuses of an order that is not cancelled, in the order in which it passes through them. */
export const statusPath: readonly string[] = orderStatuses.filter((s) => s !== 'CANCELLED');

/**
 * Statuses before custody begins, from which an order can be cancelled (contract 3.1; decisions,
 * "Order states").
 */
const beforeCustody = ['DRAFT', 'SUBMITTED', 'ASSIGNED', 'ACCEPTED', 'DRIVER_ASSIGNED'] as const;
/** Statuses of an order that has at least one event: a DRAFT has none. */
const withEvents = orderStatuses.filter((status) => status !== 'DRAFT');
/** Statuses before the order's end, in which conditions can be recorded. */
const open = withEvents.filter((status) => status !== 'CLOSED' && status !== 'CANCELLED');

/** Statuses from the driver's assignment to the delivery: positions and expected times are reported. */
export const underWay = ['DRIVER_ASSIGNED', 'PICKUP_STARTED', 'SEALED', 'IN_TRANSIT'] as const;

export type StopName = 'pickup' | 'dropoff';
const nextStops: Partial<Record<OrderStatus, StopName>> = {
  ...{ SUBMITTED: 'pickup', ASSIGNED: 'pickup', ACCEPTED: 'pickup', DRIVER_ASSIGNED: 'pickup' },
  ...{ PICKUP_STARTED: 'dropoff', SEALED: 'dropoff', IN_TRANSIT: 'dropoff' },
};

/** Returns the stop that an order comes to next; undefined: none. */
export const nextStopOf = (status: string): StopName | undefined =>
  nextStops[status as OrderStatus];

/**
 * Whose code the handover of each stage needs (decision 86): goods that come back are received where
 * they were fetched, and no ward takes part in a transfer.
 */
export const codeSides: Readonly<Record<(typeof handoverStages)[number], StopName | null>> = {
  ...{ pickup: 'pickup', dropoff: 'dropoff', return: 'pickup', transfer: null },
};

/** The statuses in which a handover of each stage can be recorded (decision 71). */
export const handoverStatuses: Readonly<
  Record<(typeof handoverStages)[number], readonly OrderStatus[]>
> = {
  pickup: ['PICKUP_STARTED', 'SEALED'],
  dropoff: ['IN_TRANSIT', 'DELIVERED'],
  transfer: ['IN_TRANSIT'],
  return: ['IN_TRANSIT', 'DELIVERED'],
};
const withGoods = orderStatuses.filter((status) =>
  Object.values(handoverStatuses).some((statuses) => statuses.includes(status)),
);

const lineMax = 200;
const textMax = 2000;
const field =
  (kind: CommandField['kind'], max: number) =>
  (name: string, flag: string, says: string, label?: string): CommandField => ({
    ...{ name, kind, max, flag, says },
    ...(label !== undefined && { label }),
  });
const line = field('line', lineMax);
const lines = field('lines', lineMax);
const text = field('text', textMax);
const choice =
  (choices: readonly string[]) =>
  (...labels: Parameters<typeof line>): CommandField => ({
    ...field('choice', lineMax)(...labels),
    choices,
  });
const record = (of: 'carrier' | 'driver', fills: string): CommandField => ({
  ...field('record', 36)(`${of}Id`, `--${of} <name or id>`, 'its record, instead of a name'),
  ...{ record: { of, fills }, isOptional: true },
});
const optional = (one: CommandField): CommandField => ({ ...one, isOptional: true });
const note = (says: string, label: string): CommandField =>
  text('note', '--note <text>', `${says}; becomes part of the custody history`, label);

export const orderCommands = {
  submit: {
    change: { from: ['DRAFT'], to: 'SUBMITTED', isNext: true },
    event: { type: 'order.submitted', entry: 'ORDER_SUBMITTED' },
    call: { rpc: 'submitOrder', word: 'submit', label: 'Submit' },
    does: 'submit a DRAFT',
  },
  assign: {
    change: { from: ['SUBMITTED'], to: 'ASSIGNED', isNext: true },
    event: { type: 'order.assigned', entry: 'ORDER_ASSIGNED' },
    call: { rpc: 'assignOrder', word: 'assign', label: 'Assign' },
    does: 'assign it to a transport organization',
    fields: [
      line(
        'transportOrganization',
        '--to <name>',
        'the transport organization',
        'Transport organization',
      ),
      record('carrier', 'transportOrganization'),
    ],
  },
  decline: {
    change: { from: ['ASSIGNED'], to: 'SUBMITTED' },
    event: { type: 'order.updated', entry: 'ASSIGNMENT_DECLINED' },
    call: { rpc: 'declineAssignment', word: 'decline', label: 'Decline' },
    does: 'the transport organization declines',
  },
  accept: {
    change: { from: ['ASSIGNED'], to: 'ACCEPTED', isNext: true },
    event: { type: 'order.accepted', entry: 'ORDER_ACCEPTED' },
    call: { rpc: 'acceptOrder', word: 'accept', label: 'Accept' },
    does: 'the transport organization accepts',
  },
  driver: {
    change: { from: ['ACCEPTED'], to: 'DRIVER_ASSIGNED', isNext: true },
    event: { type: 'order.driver_assigned', entry: 'DRIVER_ASSIGNED' },
    call: { rpc: 'assignDriver', word: 'driver', label: 'Assign driver' },
    does: 'assign a driver',
    fields: [line('driver', '--name <name>', 'the driver', 'Driver'), record('driver', 'driver')],
  },
  releaseDriver: {
    change: { from: ['DRIVER_ASSIGNED'], to: 'ACCEPTED' },
    event: { type: 'order.updated', entry: 'DRIVER_RELEASED' },
    call: { rpc: 'releaseDriver', word: 'release-driver', label: 'Release driver' },
    does: 'the driver drops out',
  },
  startPickup: {
    change: { from: ['DRIVER_ASSIGNED'], to: 'PICKUP_STARTED', isNext: true },
    event: { type: 'order.pickup_started', entry: 'PICKUP_STARTED' },
    call: { rpc: 'startPickup', word: 'start-pickup', label: 'Start pick-up' },
    does: 'pickup begins, and with it custody',
  },
  arrive: {
    change: { from: ['DRIVER_ASSIGNED', 'PICKUP_STARTED', 'IN_TRANSIT'], to: 'same' },
    event: { type: 'order.updated', entry: 'DRIVER_ARRIVED' },
    call: { rpc: 'recordArrival', word: 'arrive', label: 'Arrived' },
    does: 'the driver has arrived at a stop',
    fields: [choice(['pickup', 'dropoff'])('stop', '--stop <stop>', 'pickup or dropoff', 'Stop')],
  },
  seal: {
    change: { from: ['PICKUP_STARTED'], to: 'SEALED', isNext: true },
    event: { type: 'order.sealed', entry: 'SEAL_APPLIED' },
    call: { rpc: 'sealOrder', word: 'seal', label: 'Seal' },
    does: 'goods are sealed: one seal for each item, in their order',
    fields: [lines('sealIds', '--seal <id>', 'a seal (repeatable)', 'Seal')],
    movesCustody: true,
  },
  startTransport: {
    change: { from: ['SEALED'], to: 'IN_TRANSIT', isNext: true },
    event: { type: 'order.in_transit', entry: 'TRANSPORT_STARTED' },
    call: { rpc: 'startTransport', word: 'start-transport', label: 'Start transport' },
    does: 'the transport is under way',
  },
  deliver: {
    change: { from: ['IN_TRANSIT'], to: 'DELIVERED', isNext: true },
    event: { type: 'order.delivered', entry: 'CUSTODY_TRANSFERRED' },
    call: { rpc: 'deliverOrder', word: 'deliver', label: 'Deliver' },
    does: 'the goods are handed over',
    movesCustody: true,
  },
  close: {
    change: { from: ['DELIVERED'], to: 'CLOSED', isNext: true },
    event: { type: 'order.closed', entry: 'ORDER_CLOSED' },
    call: { rpc: 'closeOrder', word: 'close', label: 'Close the order' },
    does: 'the order is complete',
  },
  cancel: {
    change: { from: beforeCustody, to: 'CANCELLED' },
    event: { type: 'order.cancelled', entry: 'ORDER_CANCELLED' },
    call: { rpc: 'cancelOrder', word: 'cancel', label: 'Cancel' },
    does: 'cancel it, before custody has begun',
    fields: [field('text', 500)('reason', '--reason <text>', 'why', 'Reason')],
    asks: 'Order ORDER will be cancelled.',
  },
  incident: {
    change: { from: withEvents, to: 'same' },
    event: { type: 'order.incident_reported', entry: 'INCIDENT_REPORTED' },
    call: { rpc: 'reportIncident', word: 'incident', label: 'Report incident' },
    does: 'report an incident',
    fields: [
      note('what happened', 'What happened'),
      optional(choice(incidentKinds)('kind', '--kind <kind>', 'what is concerned', 'Kind')),
      optional(choice(severities)('severity', '--severity <severity>', 'how grave', 'Severity')),
      optional(text('asks', '--asks <text>', 'what somebody requests', 'What is requested')),
      optional(line('askedBy', '--by <name>', 'who requests it', 'Who requests it')),
    ],
  },
  resolve: {
    change: { from: withEvents, to: 'same' },
    event: { type: 'order.updated', entry: 'INCIDENT_RESOLVED' },
    call: { rpc: 'resolveIncident', word: 'resolve', label: 'Resolve incident' },
    does: 'say how an incident or an escalation ended',
    fields: [
      field('entry', 10)('incident', '--entry <number>', 'the entry of the incident', 'Incident'),
      note('how it ended', 'How it ended'),
    ],
  },
  escalate: {
    change: { from: withEvents, to: 'same' },
    event: { type: 'order.escalated', entry: 'ORDER_ESCALATED' },
    call: { rpc: 'escalateOrder', word: 'escalate', label: 'Escalate' },
    does: 'escalate it',
    fields: [note('why', 'Why')],
  },
  update: {
    change: { from: orderStatuses, to: 'same' },
    event: { type: 'order.updated', entry: 'ORDER_UPDATED' },
    call: { rpc: 'updateOrder', word: 'update' },
    does: 'change its price or notes',
    fields: [
      optional(field('price', 13)('priceTotal', '--price <amount>', 'such as 12.50')),
      {
        name: 'notes',
        kind: 'text',
        max: textMax,
        isOptional: true,
        flag: '--notes <text>',
        says: `at most ${textMax} characters`,
      },
    ],
  },
  expect: {
    change: { from: underWay, to: 'same' },
    event: { type: 'order.updated', entry: 'ORDER_UPDATED' },
    call: { rpc: 'reportExpectedTime', label: 'Expected time' },
  },
  handover: {
    change: { from: withGoods, to: 'same' },
    event: { type: 'order.updated', entry: 'HANDOVER_RECORDED' },
    call: { rpc: 'recordHandover' },
  },
  waive: {
    change: { from: withGoods, to: 'same' },
    event: { type: 'order.updated', entry: 'EVIDENCE_WAIVED' },
    call: { rpc: 'waiveEvidence', word: 'waive' },
    does: 'waive evidence that the order requires and that cannot be recorded',
    fields: [
      line('stage', '--stage <stage>', 'pickup, dropoff or return'),
      lines('methods', '--method <method>', 'a required method (repeatable)'),
      note('why', 'Why'),
    ],
  },
  sealMismatch: {
    change: { from: withGoods, to: 'same' },
    event: { type: 'order.incident_reported', entry: 'SEAL_MISMATCH' },
  },
  condition: {
    change: { from: open, to: 'same' },
    event: { type: 'order.updated', entry: 'CONDITION_RECORDED' },
    call: { rpc: 'recordCondition' },
  },
  excursion: {
    change: { from: open, to: 'same' },
    event: { type: 'order.incident_reported', entry: 'TEMPERATURE_EXCURSION' },
  },
  keep: {
    change: { from: withEvents, to: 'same' },
    event: { type: 'order.updated', entry: 'DEVICE_RECORD_KEPT' },
  },
  revokeDevice: {
    change: { from: withEvents, to: 'same' },
    event: { type: 'order.updated', entry: 'DEVICE_REVOKED' },
    call: { rpc: 'recordDeviceRevocation' },
  },
  erase: {
    change: { from: ['CLOSED', 'CANCELLED'], to: 'same' },
    event: { type: 'order.updated', entry: 'PERSONAL_DATA_ERASED' },
    call: { rpc: 'erasePersonalData' },
  },
} as const satisfies Record<string, OrderCommand>;

export type CommandName = keyof typeof orderCommands;

/** The commands with their names, in the order of an order's life. */
export const commandRows: readonly (OrderCommand & { readonly name: CommandName })[] =
  Object.entries(orderCommands).map(([name, row]) => ({ name: name as CommandName, ...row }));

/** Returns the record that may take the place of a line; undefined: none. */
export const recordInPlaceOf = (
  fields: readonly CommandField[],
  line: string,
): CommandField | undefined => fields.find(({ record }) => record?.fills === line);

/** The command that moves an order on from a status; undefined for CLOSED and CANCELLED. */
export const nextCommandOf = (status: string) =>
  commandRows.find(
    ({ change }) => change.isNext && (change.from as readonly string[]).includes(status),
  );

/** Internal types of the entries that report an incident or an escalation. */
export const incidentEntries: ReadonlySet<string> = new Set(
  commandRows.flatMap(({ event: { type, entry } }) =>
    type === 'order.incident_reported' || type === 'order.escalated' ? [entry] : [],
  ),
);
