import { printedLines, writeLines } from '@pto/terminal';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { wait } from '../../../typescript/src/http/retry.ts';
import type { Client, Order } from '../../../typescript/src/index.ts';
import { type Context, isJson } from '../context.ts';
import { Failed, WrongUsage } from '../failure.ts';
import { sampleOrder } from '../sample-order.ts';
import { type AdvancedStatus, advancedStatuses } from '../statuses.ts';

/** The event of each status to which an order is advanced. */
const eventOf = (status: AdvancedStatus): string => `order.${status.toLowerCase()}`;
const incident = 'order.incident_reported';
const names = [...advancedStatuses.map(eventOf), incident];
/** Maximum time in ms for the courier to report an incident, and the pause between two looks. */
const incidentMaxMs = 60_000;
const pauseMs = 300;

/** Parses the event's name. Returns it with the status whose event it is, null for an incident. */
const eventName = (event: string): { event: string; status: AdvancedStatus | null } => {
  if (!names.includes(event)) throw new InvalidArgumentError(`expected one of ${names.join(', ')}`);
  return { event, status: advancedStatuses.find((one) => eventOf(one) === event) ?? null };
};

interface Flags {
  readonly order?: string;
  readonly note?: string;
}

/** `pto trigger`: makes an event happen in the sandbox, to a new order by default. */
export const triggerCommand = ({ client }: Context): Command =>
  new Command('trigger')
    .description('make an event happen in the sandbox: advances an order until it has come')
    .addArgument(
      new Argument('<event>', 'such as order.sealed').choices(names).argParser(eventName),
    )
    .option('--order <id>', 'the order; a new one by default')
    .option('--note <text>', `the text of ${incident}`)
    .action(
      async (
        { event, status }: ReturnType<typeof eventName>,
        { order, note }: Flags,
        command: Command,
      ) => {
        if (note !== undefined && status !== null)
          throw new WrongUsage(`--note is the text of ${incident}.`);
        const id = order ?? (await client().orders.create(sampleOrder)).id;
        const { external_id, status: now } =
          status === null
            ? await reportIncident(client(), id, note ?? 'An incident of pto trigger.')
            : await client().sandbox.advance(id, { to: status });
        const shown = { id, external_id, status: now, event };
        await writeLines('stdout', printedLines(shown, { json: isJson(command) }));
      },
    );

/** Lets the courier report an incident, and waits for it. @throws Failed */
const reportIncident = async (client: Client, id: string, note: string): Promise<Order> => {
  const order = await client.sandbox.runScript(id, [{ incident: note }]);
  for (const end = performance.now() + incidentMaxMs; performance.now() < end; ) {
    const { run } = await client.sandbox.steps(id);
    if (run?.state === 'done') return order;
    if (run && run.state !== 'running') throw new Failed(`No incident: ${run.reason}.`);
    await wait(pauseMs, undefined);
  }
  throw new Failed(`No incident within ${incidentMaxMs / 1000} s: repeat the command later.`);
};
