import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { Interrupted, note, printedLines, tableLines, writeLines } from '@pto/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { receiverUrl } from '../arguments.ts';
import type { Check } from '../certify/check.ts';
import { checks } from '../certify/checks/index.ts';
import { reportOf, resultLines, summaryLine } from '../certify/report.ts';
import { runCheck } from '../certify/run.ts';
import { samplesOf, type Trial } from '../certify/trial.ts';
import { epochMs } from '../clock.ts';
import { type Context, isJson } from '../context.ts';
import { EndedWith, WrongUsage } from '../failure.ts';
import { checkedSecret } from '../listen/delivery.ts';
import { sampleOrder } from '../sample-order.ts';

interface Flags {
  readonly forwardTo?: string;
  readonly secret?: string;
  readonly verifyCommand?: string;
  readonly report?: string;
  readonly only?: readonly string[];
  readonly list?: boolean;
}

/** `pto certify`: checks a partner's receiver and integration in the sandbox. */
export const certifyCommand = (context: Context): Command =>
  new Command('certify')
    .description('check your receiver and your integration in the sandbox')
    .option('--forward-to <url>', 'URL of the receiver', receiverUrl)
    .option('--secret <secret>', 'secret of the receiver; default: PTO_WEBHOOK_SECRET')
    .option('--verify-command <command>', 'your verifier of proofs; gets the path of a file')
    .option('--report <file>', 'write the report as JSON')
    .option('--only <names>', 'only these checks, separated by commas', checkNames)
    .option('--list', 'print the checks and end')
    .addHelpText('after', help)
    .action((flags: Flags, command: Command) =>
      flags.list ? list(isJson(command)) : certify(context, flags, isJson(command)),
    );

const help = `
Other users of the machine can read the arguments: prefer PTO_WEBHOOK_SECRET.
PTO_WEBHOOK_NEXT_SECRET is a second secret that the receiver knows, too; without
it, the check rotation-complete is skipped.
Exit codes: 0 no check failed, 1 a check failed, 2 wrong usage, 130 after Ctrl-C.`;

const checkNames = (text: string): string[] =>
  text.split(',').map((part) => {
    const name = part.trim();
    if (!checks.some((check) => check.name === name))
      throw new InvalidArgumentError(`expected ${checks.map((check) => check.name).join(', ')}`);
    return name;
  });

const list = (json: boolean): Promise<void> => {
  const shown = checks.map(({ name, does }) => ({ name, does }));
  return writeLines('stdout', json ? printedLines(shown, { json }) : tableLines(shown));
};

const certify = async (context: Context, flags: Flags, json: boolean): Promise<void> => {
  const stop = new AbortController();
  const forget = context.onInterrupt(() => stop.abort(new Interrupted('Interrupted.')));
  try {
    if (flags.report !== undefined) await written(flags.report, '');
    const report = await run(context, flags, { json, signal: stop.signal });
    if (json) await writeLines('stdout', printedLines(report, { json }));
    else await writeLines('stdout', [summaryLine(report)]);
    if (flags.report !== undefined) {
      await written(flags.report, `${JSON.stringify(report, null, 2)}\n`);
      note(`report in ${flags.report}`);
    }
    if (report.result === 'failed') throw new EndedWith(1);
  } finally {
    forget();
  }
};

const run = async (
  context: Context,
  flags: Flags,
  { json, signal }: { json: boolean; signal: AbortSignal },
) => {
  const { url, ...secrets } = receiverOf(context.environment, flags);
  const { organization, environment } = await context.client().ping({ signal });
  if (environment !== 'sandbox')
    throw new WrongUsage(`This key is for ${environment}: certify runs in the sandbox alone.`);
  const begun_at = timeText();
  const { baseUrl } = context.credential();
  const trial = await trialOf(context, { flags, url, ...secrets, signal });
  const chosen: readonly Check[] = checks.filter(({ name }) => flags.only?.includes(name) ?? true);
  const results = [];
  for (const check of chosen) {
    const result = await runCheck(check, trial, new URL(baseUrl).origin);
    results.push(result);
    if (!json) await writeLines('stdout', resultLines(result));
  }
  const left_out = checks.filter((check) => !chosen.includes(check)).map(({ name }) => name);
  const about = { begun_at, ended_at: timeText(), organization, environment, left_out };
  return reportOf({ ...about, baseUrl, receiverUrl: url }, results);
};

/** Returns where the receiver is, and its secrets. @throws WrongUsage */
const receiverOf = (environment: NodeJS.ProcessEnv, { forwardTo, secret }: Flags) => {
  const { PTO_WEBHOOK_SECRET, PTO_WEBHOOK_NEXT_SECRET: next } = environment;
  const given = secret ?? PTO_WEBHOOK_SECRET;
  if (!forwardTo) throw new WrongUsage('Which receiver? Give --forward-to.');
  if (!given) throw new WrongUsage('Which secret does the receiver know? Set PTO_WEBHOOK_SECRET.');
  return {
    url: forwardTo,
    secret: checkedSecret(given, secret ? '--secret' : 'PTO_WEBHOOK_SECRET'),
    nextSecret: next ? checkedSecret(next, 'PTO_WEBHOOK_NEXT_SECRET') : null,
  };
};

/** Creates the order of the sample events. */
const trialOf = async (
  context: Context,
  of: { flags: Flags; url: string; secret: string; nextSecret: string | null; signal: AbortSignal },
): Promise<Trial> => {
  const { flags, url, secret, nextSecret, signal } = of;
  const client = context.client();
  const reference = `pto-certify-${randomBytes(6).toString('hex')}`;
  const sample = { ...sampleOrder, external_id: `${reference}-samples` };
  const order = await client.orders.create(sample, { signal });
  const { baseUrl } = context.credential();
  return {
    ...{ client, reference, order, nextSecret, signal },
    receiver: { url, secret },
    verifyCommand: flags.verifyCommand ?? null,
    environment: context.environment,
    sample: samplesOf(order, baseUrl),
  };
};

const timeText = (): string => new Date(epochMs()).toISOString();

/** Writes the report; an empty one before the checks, so that none of an earlier run remains. */
const written = async (path: string, text: string): Promise<void> => {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new WrongUsage(`${path} cannot be written: ${(error as Error).message}.`);
  }
};
