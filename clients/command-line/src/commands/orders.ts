import { printedLines, writeLines } from '@pto/terminal';
import { Argument, Command, Option } from 'commander';
import type {
  Client,
  KnownOrderStatus,
  Order,
  OrderCreate,
  SandboxScenario,
} from '../../../typescript/src/index.ts';
import { count } from '../arguments.ts';
import { type Context, isJson } from '../context.ts';
import { WrongUsage } from '../failure.ts';
import { jsonOf, stepsOf } from '../request-file.ts';
import { type AdvancedStatus, advancedStatuses } from '../statuses.ts';

const statuses: readonly KnownOrderStatus[] = [
  'DRAFT',
  'SUBMITTED',
  ...advancedStatuses,
  'CANCELLED',
];
const scenarios = [
  'auto',
  'decline',
  'driver_dropped',
  'incident',
  'escalation',
  'late_seal',
  'tampered_proof',
  'offline_gap',
  'handover_code',
  'revoked_device',
] as const satisfies readonly SandboxScenario[];
const columns = ['id', 'external_id', 'status', 'updated_at'] as const;
/** Maximum number of orders of a page. */
const pageMax = 100;

interface ListFlags {
  readonly status?: KnownOrderStatus;
  readonly externalId?: string;
  readonly limit: number;
}

interface CreateFlags {
  readonly file: string;
  readonly idempotencyKey?: string;
  readonly courier?: SandboxScenario;
  readonly step?: string;
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
    .addOption(
      new Option('--courier <scenario>', 'sandbox: how its courier moves the order').choices([
        ...scenarios,
      ]),
    )
    .option('--step <duration>', 'sandbox: the time before each step, such as 2s; default: 30s')
    .action(async ({ file, courier, step, idempotencyKey }: CreateFlags, command: Command) => {
      const order = await jsonOf<OrderCreate>(file);
      const options = {
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(courier !== undefined && { sandboxCourier: courier }),
        ...(step !== undefined && { sandboxStep: step }),
      };
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
    .description('advance an order of the sandbox to a status, or start a script of steps')
    .argument('<id>', 'id of the order')
    .addArgument(
      new Argument('[status]', 'the status; the order passes those before it').choices([
        ...advancedStatuses,
      ]),
    )
    .option('--script <file>', 'JSON: the steps, or an object with them as its member script')
    .action(
      async (
        id: string,
        status: AdvancedStatus | undefined,
        { script }: { script?: string },
        command: Command,
      ) => {
        const { sandbox } = client();
        if (status !== undefined && script === undefined)
          return show(command, await sandbox.advance(id, { to: status }));
        if (status === undefined && script !== undefined)
          return show(command, await sandbox.runScript(id, await stepsOf(script)));
        throw new WrongUsage('Give a status or --script.');
      },
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
