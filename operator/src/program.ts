import tab from '@bomb.sh/tab/commander';
import { ConfigError } from '@pto/config';
import { Failure } from '@pto/errors';
import { newRequestId, withRequestId } from '@pto/telemetry';
import { NotShown, note, UnreadableText, writeLines } from '@pto/terminal';
import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { WrongUsage } from './arguments.ts';
import { type Clients, type OpenClients, openClients } from './clients.ts';
import { auditCommands } from './commands/audit.ts';
import { carrierCommands, driverCommands } from './commands/carrier.ts';
import { deliveryCommands } from './commands/delivery.ts';
import { dlqCommands } from './commands/dlq.ts';
import { endpointCommands } from './commands/endpoint.ts';
import { eraseCommand } from './commands/erase.ts';
import { keyCommands } from './commands/key.ts';
import { ledgerCommands } from './commands/ledger.ts';
import { operatorCommands } from './commands/operator.ts';
import { orderCommands } from './commands/order.ts';
import { organizationCommands } from './commands/organization.ts';
import { portalCommands } from './commands/portal.ts';
import { requestCommands } from './commands/request.ts';
import { signInCommands } from './commands/sign-in.ts';
import { statusCommand } from './commands/status.ts';
import { tokenCommands } from './commands/token.ts';
import { NotConfirmed } from './confirm.ts';
import { NotValid, SecretNotShown } from './output.ts';

/** Exit code of a command whose reader has closed the pipe: that of a process ended by SIGPIPE. */
const pipeClosedCode = 141;

const cellText = 'the cell, where the installation has several';

/** Builds all commands. */
export const operatorProgram = (open: OpenClients): Command => {
  const program = new Command('operator')
    .description('The operator of Partner Transport Orders')
    .version(packageJson.version)
    .option('--json', 'print one JSON document instead of a table')
    .option('--cell <name>', cellText)
    .helpCommand(false)
    .showHelpAfterError('(add --help for the usage)')
    .configureOutput({ writeOut: linesTo('stdout'), writeErr: linesTo('stderr') })
    .exitOverride();
  for (const commands of [
    organizationCommands,
    keyCommands,
    portalCommands,
    requestCommands,
    orderCommands,
    carrierCommands,
    driverCommands,
    eraseCommand,
    ledgerCommands,
    endpointCommands,
    deliveryCommands,
    dlqCommands,
    tokenCommands,
    operatorCommands,
    auditCommands,
    statusCommand,
  ])
    program.addCommand(commands(open));
  for (const command of signInCommands(open)) program.addCommand(command);
  inherit(program);
  tab(program, { completionCommandName: 'completion' });
  return program;
};

/**
 * Runs the operator's command line.
 * @returns the exit code: 0 done, 1 rejected, failed or not valid, 2 wrong usage or bad settings,
 *   141 if the reader of the output has closed the pipe.
 */
export const runOperator = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> => {
  let clients: Clients | undefined;
  let cell: string | undefined;
  const program = operatorProgram(() => {
    clients ??= openClients(environment, cell);
    return clients;
  });
  program.hook('preAction', (_, command) => {
    cell = command.optsWithGlobals().cell;
  });
  try {
    // all calls of one command have one request id: the pages of a read are one row in the audit log
    await withRequestId(newRequestId(), () => program.parseAsync([...words], { from: 'user' }));
    return 0;
  } catch (error) {
    return explain(error);
  }
};

/** Writes a text of Commander, which is complete lines. */
const linesTo = (stream: 'stdout' | 'stderr') => (text: string) =>
  void writeLines(stream, text.replace(/\n$/, '').split('\n')).catch(() => {});

/**
 * Adds --json and --cell to every command without subcommands, and makes each command throw its errors instead
 * of ending the process.
 */
const inherit = (command: Command): void => {
  for (const child of command.commands) {
    child.copyInheritedSettings(command).exitOverride();
    if (child.commands.length === 0)
      child
        .option('--json', 'print one JSON document instead of a table')
        .option('--cell <name>', cellText);
    inherit(child);
  }
};

const explain = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof NotValid) return 1;
  if (error instanceof NotShown && error.pipeClosed) return pipeClosedCode;
  if (error instanceof WrongUsage || error instanceof UnreadableText) {
    note(`error: ${error.message}`);
    return 2;
  }
  if (error instanceof ConfigError) {
    for (const fault of error.faults) note(fault);
    return 2;
  }
  if (error instanceof Failure) {
    note(`${error.kind}: ${error.message}`);
    if (error.details) note(JSON.stringify(error.details));
    return 1;
  }
  if (
    error instanceof NotShown ||
    error instanceof SecretNotShown ||
    error instanceof NotConfirmed
  ) {
    note(error.message);
    return 1;
  }
  note(`INTERNAL: ${error instanceof Error ? error.message : error}`);
  return 1;
};
