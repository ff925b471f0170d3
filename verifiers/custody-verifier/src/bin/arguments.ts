import { parseArgs } from 'node:util';
import { isHash } from '../bytes.ts';
import { isUuid } from '../entry-form.ts';
import { parseVkey } from '../note/vkey.ts';
import { readWitnesses, type Witnesses } from '../proof/witnesses.ts';
import type { Head } from '../verify-chain.ts';

/** The command line, parsed; {@link usage} says what each option means. */
export type Arguments = Exclude<ReturnType<typeof parseArguments>, 'help'>;

/**
 * Parses the command line. Returns `help` for --help.
 * @throws WrongUsage for arguments that are missing, unknown, malformed or contradictory.
 */
export const parseArguments = (argv: readonly string[]) => {
  const { values, positionals } = parsed(argv);
  if (values.help) return 'help' as const;
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new WrongUsage('exactly one file is checked');
  if (values.order !== undefined && !isUuid(values.order.toLowerCase()))
    throw new WrongUsage('--order takes a UUID');
  const ofCheckpoints = [values.key, values.keys, values['seen-checkpoint'], values.witness];
  if (values.order !== undefined && ofCheckpoints.some((value) => value !== undefined))
    throw new WrongUsage('a list of events has no checkpoint: keys are for proof files');
  checked('--key: ', () => values.key?.forEach(parseVkey));
  return {
    file,
    order: values.order?.toLowerCase(),
    seenHead: readHead(values['seen-head']),
    seenCheckpoint: values['seen-checkpoint'],
    keys: values.key ?? [],
    keysFile: values.keys,
    witnesses: witnessesOf(values.witness, values.quorum),
    json: values.json,
  };
};

const parsed = (argv: readonly string[]) =>
  checked('', () =>
    parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        order: { type: 'string' },
        'seen-head': { type: 'string' },
        'seen-checkpoint': { type: 'string' },
        key: { type: 'string', multiple: true },
        keys: { type: 'string' },
        witness: { type: 'string', multiple: true },
        quorum: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }),
  );

/** Returns what `read` returns. An error of `read` is wrong usage of the option. */
const checked = <T>(option: string, read: () => T): T => {
  try {
    return read();
  } catch (error) {
    throw new WrongUsage(`${option}${(error as Error).message}`);
  }
};

const witnessesOf = (
  vkeys: readonly string[] | undefined,
  quorum: string | undefined,
): Witnesses | undefined => {
  if (!vkeys && quorum !== undefined) throw new WrongUsage('--quorum needs --witness');
  if (!vkeys) return undefined;
  const witnesses = { vkeys, quorum: quorum === undefined ? undefined : wholeNumber(quorum) };
  checked('--witness: ', () => readWitnesses(witnesses));
  return witnesses;
};

const wholeNumber = (text: string): number => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN);

const readHead = (text: string | undefined): Head | undefined => {
  if (text === undefined) return undefined;
  const [, sequence, hash] = /^(\d{1,15}):(.*)$/s.exec(text) ?? [];
  if (!isHash(hash)) throw new WrongUsage('--seen-head takes N:HASH, 64 lower-case hex digits');
  return { sequence: Number(sequence), hash };
};

/**
 * The arguments are wrong, or a file that they name cannot be read or is malformed. No verdict was
 * reached.
 */
export class WrongUsage extends Error {
  override readonly name = 'WrongUsage';
}

/** The help of `custody-verify`. */
export const usage = `custody-verify FILE [options]

FILE is a proof file (custody-proof/1), or, with --order, the response of
GET /orders/ID/events; - reads standard input.

  --key VKEY              trust this key of the log; repeatable
  --keys PATH             trust the keys in this copy of /custody/keys.json,
                          each within its validity
  --witness VKEY          demand the cosignature of this witness; repeatable
  --quorum N              N of the witnesses are enough; all of them by default
  --order ID              judge a list of events of this order
  --seen-head N:HASH      an earlier head: the hash of the N-th entry
  --seen-checkpoint PATH  an earlier checkpoint of the log: a signed note, or JSON
                          {"checkpoint": note, "consistency": [path to the file's]}
  --json                  print the verdict as JSON
  --help                  print this

Exit code: 0 proven      a trusted key signed for the history, and with --witness
                         enough witnesses cosigned
           3 consistent  the hashes agree, but the signer is unknown, or too few
                         witnesses cosigned
           1 invalid     anything else
           2 wrong usage, a file that cannot be read, or a verdict that cannot be printed
`;
