import { ConfigError } from '@pto/config';
import { parseWitnessVkey, type WitnessKey } from '@pto/custody-verifier';

export interface Witness {
  readonly key: WitnessKey;
  /** URL to which checkpoints are submitted: `…/add-checkpoint`. */
  readonly url: string;
}

/**
 * Parses `VKEY@URL`: the witness's vkey (algorithm 0x04) and its submission prefix.
 * @throws Error that says what is expected.
 */
export const parseWitness = (text: string): Witness => {
  const [, vkey, prefix] = /^(.+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+)@(https?:\/\/.+)$/.exec(text) ?? [];
  if (vkey === undefined || prefix === undefined || !URL.canParse(prefix))
    throw new Error('expected VKEY@URL, with a URL beginning with https:// or http://');
  const { username, password, search, hash } = new URL(prefix);
  if (username || password || search || hash)
    throw new Error('expected a URL without credentials, query and fragment');
  return { key: parseWitnessVkey(vkey), url: `${prefix.replace(/\/+$/, '')}/add-checkpoint` };
};

const witnessesMax = 16;

/**
 * Checks that each witness is configured once: names are metric labels, and a cosignature does not
 * commit to the witness's name.
 * @throws ConfigError if a name or a key occurs twice, or for more than 16 witnesses.
 */
export const checkWitnesses = (witnesses: readonly Witness[]): void => {
  const faults: string[] = [];
  const names = new Set(witnesses.map(({ key }) => key.name));
  const keys = new Set(witnesses.map(({ key }) => Buffer.from(key.publicKey).toString('hex')));
  if (Math.min(names.size, keys.size) < witnesses.length)
    faults.push('CUSTODY_WITNESSES: a witness stands there twice');
  if (witnesses.length > witnessesMax)
    faults.push(`CUSTODY_WITNESSES: more than ${witnessesMax} witnesses`);
  if (faults.length > 0) throw new ConfigError(faults);
};
