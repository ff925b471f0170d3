import { parseArgs } from 'node:util';
import { isHash } from '../bytes/hex.ts';
import { isUuid } from '../entry-form.ts';
import { parseVkey } from '../note/vkey.ts';
import type { Head } from '../verify-chain.ts';
import { WrongUsage } from './wrong-usage.ts';

/** The command line, parsed. */
export interface Asked {
  /** A path, or `-` for standard input. */
  readonly file: string;
  /** The order of a bare list of events; undefined for a proof file. */
  readonly order: string | undefined;
  readonly seenHead: Head | undefined;
  /** A path. */
  readonly seenCheckpoint: string | undefined;
  /** vkeys of trusted keys. */
  readonly keys: readonly string[];
  /** Path of a stored keys.json, whose keys are trusted within their validity. */
  readonly keysFile: string | undefined;
  readonly json: boolean;
}

export const usage = `custody-verify FILE [options]

FILE is a proof file (custody-proof/1), or, with --order, the response of
GET /orders/ID/events; - reads standard input.

  --key VKEY              trust this key of the log; repeatable
  --keys PATH             trust the keys in this copy of /custody/keys.json,
                          each within its validity
  --order ID              judge a list of events of this order
  --seen-head N:HASH      an earlier head: the hash of the N-th entry
  --seen-checkpoint PATH  an earlier checkpoint of the log: a signed note, or JSON
                          {"checkpoint": note, "consistency": [path to the file's]}
  --json                  print the verdict as JSON
  --help                  print this

Exit code: 0 proven      a trusted key signed for the history
           3 consistent  the hashes agree, but the signer is unknown
           1 invalid     anything else
           2 wrong usage, or a file that cannot be read
`;

/** @throws WrongUsage */
export const parseArguments = (argv: readonly string[]): Asked | 'help' => {
  const { values, positionals } = parsed(argv);
  if (values.help) return 'help';
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new WrongUsage('exactly one file is checked');
  if (values.order !== undefined && !isUuid(values.order.toLowerCase()))
    throw new WrongUsage('--order takes a UUID');
  if (values.order !== undefined && (values.key || values.keys || values['seen-checkpoint']))
    throw new WrongUsage('a list of events has no checkpoint: keys are for proof files');
  for (const vkey of values.key ?? []) checkKey(vkey);
  return {
    file,
    order: values.order?.toLowerCase(),
    seenHead: readHead(values['seen-head']),
    seenCheckpoint: values['seen-checkpoint'],
    keys: values.key ?? [],
    keysFile: values.keys,
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
        keys: { type: 'string' },
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
