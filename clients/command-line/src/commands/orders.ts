import { readFile } from 'node:fs/promises';
import { printedLines, writeLines } from '@pto/terminal';
import { Argument, Command, Option } from 'commander';
import type {
  Client,
  KnownOrderStatus,
  Order,
  OrderCreate,
} from '../../../typescript/src/index.ts';
import { count } from '../arguments.ts';
import { type Context, isJson } from '../context.ts';
import { WrongUsage } from '../failure.ts';
import { type AdvancedStatus, advancedStatuses } from '../statuses.ts';

const statuses: readonly KnownOrderStatus[] = [
  'DRAFT',
  'SUBMITTED',
  ...advancedStatuses,
  'CANCELLED',
];
const columns = ['id', 'external_id', 'status', 'updated_at'] as const;
/** Maximum number of orders of a page. */
const pageMax = 100;

interface ListFlags {
  readonly status?: KnownOrderStatus;
  readonly externalId?: string;
  readonly limit: number;
}

/** `pto orders`: reads, creates, cancels and advances orders. */
export const ordersCommands = ({ client }: Context): Command => {
  const orders = new Command('orders').description('read, create, cancel and advance orders');
  orders
    .command('list')
    .description('list orders, newest first')
    .addOption(new Option('--status <status>', 'only those in this status').choices([...statuses]))
    .option('--external-id <reference>', 'only those with your reference')
    .option('--limit <n>', 'at most so many; 0 for all', count, 20)
    .action(async (flags: ListFlags, command: Command) => {
      const found = await listed(client(), flags);
      await writeLines('stdout', printedLines(found, { json: isJson(command), columns }));
    });
  orders
    .command('show')
    .description('show an order')
    .argument('<id>', 'id of the order')
    .action(async (id: string, _, command: Command) =>
      show(command, await client().orders.get(id)),
    );
  orders
    .command('create')
    .description('create an order from a JSON file')
    .requiredOption('--file <file>', 'the body of POST /orders')
    .option('--idempotency-key <key>', 'to repeat the command without a second order')
    .action(async (flags: { file: string; idempotencyKey?: string }, command: Command) => {
      const { idempotencyKey } = flags;
      const order = await orderOf(flags.file);
      const options = idempotencyKey === undefined ? {} : { idempotencyKey };
      await show(command, await client().orders.create(order, options));
    });
  orders
    .command('cancel')
    .description('cancel an order')
    .argument('<id>', 'id of the order')
    .requiredOption('--reason <text>', 'why')
    .action(async (id: string, { reason }: { reason: string }, command: Command) =>
      show(command, await client().orders.cancel(id, { reason })),
    );
  orders
    .command('advance')
    .description('advance an order of the sandbox to a status, through those before it')
    .argument('<id>', 'id of the order')
    .addArgument(new Argument('<status>', 'the status').choices([...advancedStatuses]))
    .action(async (id: string, status: AdvancedStatus, _, command: Command) =>
      show(command, await client().sandbox.advance(id, { to: status })),
    );
  return orders;
};

const show = (command: Command, order: Order): Promise<void> =>
  writeLines('stdout', printedLines(order, { json: isJson(command) }));

const listed = async (client: Client, { status, externalId, limit }: ListFlags) => {
  const found: Order[] = [];
  const query = {
    ...(status && { status }),
    ...(externalId !== undefined && { external_id: externalId }),
    limit: limit === 0 ? pageMax : Math.min(limit, pageMax),
  };
  for await (const order of client.orders.list(query)) {
    found.push(order);
    if (found.length === limit) break;
  }
  return found;
};

/** Reads an order's JSON. The API checks it. @throws WrongUsage */
const orderOf = async (path: string): Promise<OrderCreate> => {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    throw new WrongUsage(`${path} cannot be read: ${(error as Error).message}.`);
  }
  try {
    return JSON.parse(text) as OrderCreate;
  } catch {
    throw new WrongUsage(`${path} is not JSON.`);
  }
};
