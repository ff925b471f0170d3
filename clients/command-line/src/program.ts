import tab from '@bomb.sh/tab/commander';
import { Interrupted, NotShown, note, UnreadableText, writeLines } from '@pto/terminal';
import { Command, CommanderError } from 'commander';
import { BeyondFeedError, type Client, NotSentError, version } from '../../typescript/src/index.ts';
import { certifyCommand } from './commands/certify.ts';
import { eventsCommand } from './commands/events.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import { ordersCommands } from './commands/orders.ts';
import { pingCommand } from './commands/ping.ts';
import { proofCommand } from './commands/proof.ts';
import { triggerCommand } from './commands/trigger.ts';
import type { Context } from './context.ts';
import { type Credential, credentialOf, openClient } from './credential.ts';
import { explain } from './explain.ts';
import { EndedWith, WrongUsage } from './failure.ts';
import { systemKeyring } from './keyring.ts';

/** Exit code of a command whose reader has closed the pipe: that of a process ended by SIGPIPE. */
const pipeClosedCode = 141;
/** Exit code after Ctrl-C, SIGTERM and SIGHUP: that of a process ended by SIGINT. */
const interruptedCode = 130;

const commandsOf = [
  loginCommand,
  logoutCommand,
  pingCommand,
  eventsCommand,
  listenCommand,
  ordersCommands,
  triggerCommand,
  proofCommand,
  certifyCommand,
];

/** Builds all commands. */
export const ptoProgram = (context: Context): Command => {
  const program = new Command('pto')
    .description("The partner's command line of Partner Transport Orders")
    .version(version)
    .option('--json', 'print JSON instead of a table')
    .helpCommand(false)
    .showHelpAfterError('(add --help for the usage)')
    .configureOutput({ writeOut: linesTo('stdout'), writeErr: linesTo('stderr') })
    .exitOverride();
  for (const commandOf of commandsOf) program.addCommand(commandOf(context));
  inherit(program);
  tab(program, { completionCommandName: 'completion' });
  return program;
};

/**
 * Runs the partner's command line.
 * @returns the exit code: 0 done, 1 rejected or failed, 2 wrong usage or settings, 130 after Ctrl-C,
 *   SIGTERM or SIGHUP,
 *   141 if the reader of the output has closed the pipe; `pto proof` also 3, as custody-verify.
 */
export const runPto = async (
  words: readonly string[],
  { node, ...outside }: Pick<Context, 'environment' | 'input' | 'onInterrupt'> & { node: string },
): Promise<number> => {
  const keyring = systemKeyring(outside.environment, node);
  let found: Credential | undefined;
  let opened: Client | undefined;
  const credential = () => {
    found ??= credentialOf(outside.environment, keyring);
    return found;
  };
  const client = () => {
    opened ??= openClient(credential());
    return opened;
  };
  try {
    const program = ptoProgram({ ...outside, keyring, credential, client });
    await program.parseAsync([...words], { from: 'user' });
    return 0;
  } catch (error) {
    return codeOf(error);
  }
};

/** Writes a text of Commander, which is complete lines. */
const linesTo = (stream: 'stdout' | 'stderr') => (text: string) =>
  void writeLines(stream, text.replace(/\n$/, '').split('\n')).catch(() => {});

/**
 * Adds --json to every command without subcommands, and makes each command throw its errors instead
 * of ending the process.
 */
const inherit = (command: Command): void => {
  for (const child of command.commands) {
    child.copyInheritedSettings(command).exitOverride();
    if (child.commands.length === 0) child.option('--json', 'print JSON instead of a table');
    inherit(child);
  }
};

const usageErrors = [WrongUsage, NotSentError, UnreadableText, BeyondFeedError];

/** Explains an error in one line. Returns the exit code. */
const codeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof EndedWith) return error.code;
  if (error instanceof Interrupted) return interruptedCode;
  if (error instanceof NotShown && error.pipeClosed) return pipeClosedCode;
  note(`error: ${explain(error)}`);
  return usageErrors.some((kind) => error instanceof kind) ? 2 : 1;
};
