import { readFile, writeFile } from 'node:fs/promises';
import {
  exitCodes,
  readKeysFile,
  report,
  WrongUsage as WrongFile,
} from '@pto/custody-verifier/command';
import { note, printedLines, writeLines } from '@pto/terminal';
import { Command } from 'commander';
import { type TrustedKey, verifyProof } from '../../../typescript/src/index.ts';
import { type Context, isJson } from '../context.ts';
import { EndedWith, WrongUsage } from '../failure.ts';

interface Flags {
  readonly out?: string;
  readonly keys?: string;
}

/** `pto proof`: downloads an order's proof file, stores it unchanged and judges it. */
export const proofCommand = ({ client, credential }: Context): Command =>
  new Command('proof')
    .description('download the custody proof of an order, store it and verify it')
    .argument('<order>', 'id of the order')
    .option('--out <file>', 'where to store the proof file; default: proof-ORDER.json')
    .option('--keys <file>', 'trust the keys in this copy of /custody/keys.json')
    .addHelpText(
      'after',
      '\nExit codes, as those of custody-verify: 0 proven, 3 consistent: the hashes agree and\nno key in --keys signed, 1 invalid, 2 wrong usage.\nWith --json, index is the place of the first entry that is wrong, from 0.',
    )
    .action(async (order: string, flags: Flags, command: Command) => {
      const trustedKeys = flags.keys === undefined ? [] : await trustedKeysOf(flags.keys);
      const api = client();
      const { id } = await api.orders.get(order);
      const path = flags.out ?? `proof-${id}.json`;
      await store(path, await api.orders.custodyProof(id));
      // what is judged is what was stored
      const judged = await verifyProof(await readFile(path), { trustedKeys });
      const lines = isJson(command) ? printedLines(judged, { json: true }) : report(judged);
      await writeLines('stdout', lines);
      note(`stored in ${path}`);
      if (flags.keys === undefined)
        note(
          `Without --keys the signer is unknown. The keys are at ${new URL('/custody/keys.json', credential().baseUrl)}: download them once, compare them with what the operator tells you, and give --keys FILE.`,
        );
      const code = exitCodes[judged.verdict];
      if (code !== 0) throw new EndedWith(code);
    });

const trustedKeysOf = async (path: string): Promise<TrustedKey[]> => {
  try {
    return await readKeysFile(path);
  } catch (error) {
    if (error instanceof WrongFile) throw new WrongUsage(`--keys: ${error.message}.`);
    throw error;
  }
};

const store = async (path: string, proof: string): Promise<void> => {
  try {
    await writeFile(path, proof);
  } catch (error) {
    throw new WrongUsage(`${path} cannot be written: ${(error as Error).message}.`);
  }
};
