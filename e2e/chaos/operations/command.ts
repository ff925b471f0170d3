import { Failure } from '@pto/errors';
import { commandRows, type OrderCommand } from '@pto/proto/order-commands';
import type { Clients } from '../../../operator/src/clients.ts';
import { operatorClients } from '../../operator.ts';
import type { Outcome } from '../history.ts';
import { type CommandName, onward } from '../order-model.ts';
import { record, type Slot, type Word } from '../slot.ts';
import { noteReason, send, sort, type World } from '../world.ts';

interface Circumstances {
  readonly orderId: string;
  readonly payloadJson: string;
}

/** The response has no sequence if the command has no entry of its own. */
type Send = (
  orders: Clients['orders'],
  circumstances: Circumstances,
  slot: Slot,
) => Promise<{
  order?: { status: string; sequence: number | undefined; updatedAt: string } | undefined;
}>;

/** Makes each file of readings another one, because an order takes each file once. */
let files = 0;

/** Returns the fields of the plain commands, by their names. */
const valuesFor = ({ items }: Slot): Readonly<Record<string, unknown>> => ({
  transportOrganization: 'Chaos Transport',
  driver: 'Chaos Driver',
  sealIds: Array.from({ length: Math.max(items, 1) }, (_, n) => `S-${n}`),
  note: 'a note of the chaos workload',
  priceTotal: '12.50',
});

/** Sends a command whose fields are those of its row. */
const plain =
  ({ call, fields = [] }: OrderCommand): Send =>
  (orders, circumstances, slot) => {
    const values = valuesFor(slot);
    const own = Object.fromEntries(fields.map(({ name }) => [name, values[name]]));
    const send = orders[call!.rpc as keyof typeof orders] as (request: object) => ReturnType<Send>;
    return send({ circumstances, ...own });
  };

/** Each command of the operator but the cancellation, which goes through the partners' API. */
const commands: Readonly<Partial<Record<CommandName, Send>>> = {
  ...Object.fromEntries(
    commandRows.flatMap((row) => (row.call?.word === undefined ? [] : [[row.name, plain(row)]])),
  ),
  handover: (orders, circumstances) =>
    orders.recordHandover({
      circumstances,
      stage: 'pickup',
      from: { party: 'Chaos Clinic', role: 'shipper' },
      to: { party: 'Chaos Transport', role: 'carrier', person: 'Chaos Driver' },
      methods: ['pin'],
    }),
  condition: (orders, circumstances) =>
    orders.recordCondition({
      circumstances,
      readings: {
        content: Buffer.from(
          `time,value\n${new Date().toISOString()},${(files++ / 1000).toFixed(3)}\n`,
        ),
        mediaType: 'text/csv',
        deviceId: 'chaos',
        unit: 'celsius',
      },
    }),
  erase: async (orders, circumstances) => {
    const request = { circumstances, fields: [], reason: 'chaos' };
    const { order, erased } = await orders.erasePersonalData(request);
    return {
      order: order && { ...order, sequence: erased.length > 0 ? order.sequence : undefined },
    };
  },
};

/** Failures that leave open whether the command was carried out. */
const lost = ['SERVICE_UNAVAILABLE', 'DEADLINE_EXCEEDED', 'INTERNAL'];

const failed = (world: World, name: CommandName, error: unknown): Outcome | null => {
  if (!(error instanceof Failure)) return { kind: 'unknown' };
  if (error.kind === 'RATE_LIMITED') return null;
  if (error.kind === 'ILLEGAL_TRANSITION' || error.kind === 'CANCEL_NOT_ALLOWED')
    return { kind: 'rejected', status: String(error.details?.status) };
  if (error.kind === 'NOT_FOUND') return { kind: 'rejected' };
  if (error.kind === 'INTERNAL' || !lost.includes(error.kind))
    world.unexpected.push(`${name}: ${error.kind} ${error.message}`);
  noteReason(world, `operator: ${error.kind}`);
  return { kind: 'unknown' };
};

/** One command on an order, once. */
export const command = async (world: World, slot: Slot, name: CommandName): Promise<Word> => {
  const [orderId] = slot.ids;
  if (orderId === undefined) return 'skipped';
  if (name === 'cancel') return cancel(world, slot);
  return record(slot, name, async (mark) => {
    const circumstances = { orderId, payloadJson: JSON.stringify({ reference: mark }) };
    try {
      const { order } = await commands[name]!(
        operatorClients(world.stack).orders,
        circumstances,
        slot,
      );
      const { status, sequence, updatedAt } = order!;
      world.changes.push({ orderId, updatedAt, returnedAt: performance.now() });
      return { kind: 'accepted', status, ...(sequence !== undefined && { sequence }) };
    } catch (error) {
      return failed(world, name, error);
    }
  });
};

/** Contract 4.5, with a reason of its own: the same reason again would be a replay. */
export const cancel = async (world: World, slot: Slot): Promise<Word> => {
  const [orderId] = slot.ids;
  if (orderId === undefined) return 'skipped';
  return record(slot, 'cancel', async (mark): Promise<Outcome | null> => {
    const answer = await send(world, 'POST', `/orders/${orderId}/cancel`, {
      body: { reason: mark },
    });
    const sorted = sort(world, 'cancel', answer, [200, 400]);
    if (sorted === 'limited') return null;
    if (sorted === 'unknown') return { kind: 'unknown' };
    if (answer.status === 400)
      return { kind: 'rejected', status: answer.body.error.details.status };
    const { status, updated_at: updatedAt } = answer.body;
    world.changes.push({ orderId, updatedAt, returnedAt: performance.now() });
    return { kind: 'accepted', status };
  });
};

/** The command that leads on from the status that was seen last. */
export const advance = async (world: World, slot: Slot): Promise<Word> => {
  const name = onward(slot.status);
  return name === null ? 'skipped' : command(world, slot, name);
};
