/** The commands that the page of an order has as buttons with a field at most. */

const noteMax = 2000;
const reasonMax = 500;
export const nameMax = 200;

type Rpc =
  | 'submitOrder'
  | 'assignOrder'
  | 'declineAssignment'
  | 'acceptOrder'
  | 'assignDriver'
  | 'releaseDriver'
  | 'startPickup'
  | 'sealOrder'
  | 'startTransport'
  | 'deliverOrder'
  | 'closeOrder'
  | 'cancelOrder'
  | 'reportIncident'
  | 'escalateOrder';

/** A command of a dispatcher: in which statuses it is offered, and the field that it needs. */
export interface Action {
  readonly name: string;
  readonly rpc: Rpc;
  readonly from: readonly string[];
  readonly field?: { readonly name: string; readonly label: string; readonly max: number };
  /** The next step of an order's life; the other actions are exceptions. */
  readonly isNext?: true;
  /** It ends the order. */
  readonly isDangerous?: true;
}

const beforeCustody = ['DRAFT', 'SUBMITTED', 'ASSIGNED', 'ACCEPTED', 'DRIVER_ASSIGNED'];
const underWay = ['PICKUP_STARTED', 'SEALED', 'IN_TRANSIT', 'DELIVERED'];

export const actions: readonly Action[] = [
  { name: 'Submit', rpc: 'submitOrder', from: ['DRAFT'], isNext: true },
  {
    name: 'Assign',
    rpc: 'assignOrder',
    from: ['SUBMITTED'],
    field: { name: 'transportOrganization', label: 'Transport organization', max: nameMax },
    isNext: true,
  },
  { name: 'Accept', rpc: 'acceptOrder', from: ['ASSIGNED'], isNext: true },
  { name: 'Decline', rpc: 'declineAssignment', from: ['ASSIGNED'] },
  {
    name: 'Assign driver',
    rpc: 'assignDriver',
    from: ['ACCEPTED'],
    field: { name: 'driver', label: 'Driver', max: nameMax },
    isNext: true,
  },
  { name: 'Release driver', rpc: 'releaseDriver', from: ['DRIVER_ASSIGNED'] },
  { name: 'Start pick-up', rpc: 'startPickup', from: ['DRIVER_ASSIGNED'], isNext: true },
  { name: 'Seal', rpc: 'sealOrder', from: ['PICKUP_STARTED'], isNext: true },
  { name: 'Start transport', rpc: 'startTransport', from: ['SEALED'], isNext: true },
  { name: 'Deliver', rpc: 'deliverOrder', from: ['IN_TRANSIT'], isNext: true },
  { name: 'Close', rpc: 'closeOrder', from: ['DELIVERED'], isNext: true },
  {
    name: 'Report incident',
    rpc: 'reportIncident',
    from: [...beforeCustody.slice(1), ...underWay],
    field: { name: 'note', label: 'What happened', max: noteMax },
  },
  {
    name: 'Escalate',
    rpc: 'escalateOrder',
    from: [...beforeCustody.slice(1), ...underWay],
    field: { name: 'note', label: 'Why', max: noteMax },
  },
  {
    name: 'Cancel',
    rpc: 'cancelOrder',
    from: beforeCustody,
    isDangerous: true,
    field: { name: 'reason', label: 'Reason', max: reasonMax },
  },
];
