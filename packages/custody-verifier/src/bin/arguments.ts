import { parseArgs } from 'node:util';
import { isHash } from '../bytes/hex.ts';
import { isUuid } from '../entry-form.ts';
import { parseVkey } from '../note/vkey.ts';
import type { Head } from '../verify-chain.ts';
import { WrongUsage } from './wrong-usage.ts';

/** What is asked of the command. */
export interface Asked {
  /** A path, or `-` for standard input. */
  readonly file: string;
  /** The order of a bare list of events; undefined for a proof file. */
  readonly order: string | undefined;
  readonly seenHead: Head | undefined;
  /** A path. */
  readonly seenCheckpoint: string | undefined;
  /** vkeys; undefined where the file's own shall count. */
  readonly trustedKeys: readonly string[] | undefined;
  readonly json: boolean;
}

export const usage = `custody-verify FILE [options]

FILE is a proof file (custody-proof/1), or, with --order, the answer of
GET /orders/ID/events; - reads standard input.

  --order ID              the order that the events are said to be of
  --seen-head N:HASH      an earlier head: the hash of the N-th entry
  --seen-checkpoint PATH  an earlier checkpoint of the log: a signed note, or JSON
                          {"checkpoint": note, "consistency": [path to the file's]}
  --key VKEY              trust this key of the log, and none that the file brings;
                          may be given again
  --json                  print the verdict as JSON
  --help                  print this

Exit code: 0 valid, 1 not valid, 2 wrong usage.
`;

/** @throws WrongUsage */
export const parseArguments = (argv: readonly string[]): Asked | 'help' => {
  const { values, positionals } = parsed(argv);
  if (values.help) return 'help';
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new WrongUsage('exactly one file is checked');
  if (values.order !== undefined && !isUuid(values.order.toLowerCase()))
    throw new WrongUsage('--order takes a UUID');
  if (values.order !== undefined && (values.key || values['seen-checkpoint'] !== undefined))
    throw new WrongUsage('a list of events has no checkpoint: --key is for proof files');
  for (const vkey of values.key ?? []) checkKey(vkey);
  return {
    file,
    order: values.order?.toLowerCase(),
    seenHead: readHead(values['seen-head']),
    seenCheckpoint: values['seen-checkpoint'],
    trustedKeys: values.key,
    json: values.json,
  };
};

const parsed = (argv: readonly string[]) => {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        order: { type: 'string' },
        'seen-head': { type: 'string' },
        'seen-checkpoint': { type: 'string' },
        key: { type: 'string', multiple: true },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new WrongUsage((error as Error).message);
  }
};

const checkKey = (vkey: string): void => {
  try {
    parseVkey(vkey);
  } catch (error) {
    throw new WrongUsage(`--key: ${(error as Error).message}`);
  }
};

const readHead = (text: string | undefined): Head | undefined => {
  if (text === undefined) return undefined;
  const [, sequence, hash] = /^(\d{1,15}):(.*)$/s.exec(text) ?? [];
  if (!isHash(hash)) throw new WrongUsage('--seen-head takes N:HASH, 64 lower-case hex digits');
  return { sequence: Number(sequence), hash };
};
