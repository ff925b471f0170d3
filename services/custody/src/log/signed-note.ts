/** C2SP signed notes and tlog checkpoints: what they say, and signing them with Ed25519. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** What a checkpoint says. */
export interface CheckpointBody {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

const ed25519 = Buffer.of(1);
const keyIdBytes = 4;

export interface NoteSigner {
  /** The verifiers' keys, the log's own first: `name+hhhhhhhh+base64`. */
  readonly vkeys: readonly string[];
  sign(body: string): string;
}

/**
 * @param seeds 32 bytes each, secret. The first is the log's key; another one signs beside it while
 *   keys are changed, so that whoever trusts the old one can come to trust the new one.
 */
export const noteSigner = (name: string, seeds: readonly Buffer[]): NoteSigner => {
  const keys = seeds.map((seed) => noteKey(name, seed));
  return {
    vkeys: keys.map(({ vkey }) => vkey),
    sign: (body) => `${body}\n${keys.map((key) => key.signatureOf(body)).join('')}`,
  };
};

const noteKey = (name: string, seed: Buffer) => {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = Buffer.concat([ed25519, rawPublicKey(privateKey)]);
  const id = createHash('sha256')
    .update(`${name}\n`)
    .update(publicKey)
    .digest()
    .subarray(0, keyIdBytes);
  return {
    vkey: `${name}+${id.toString('hex')}+${publicKey.toString('base64')}`,
    signatureOf: (body: string) => {
      const signature = Buffer.concat([id, sign(null, Buffer.from(body), privateKey)]);
      return `— ${name} ${signature.toString('base64')}\n`;
    },
  };
};

/** What stands before an Ed25519 seed in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const rawPublicKey = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);

export const checkpointBody = ({ origin, size, root }: CheckpointBody): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** What our own note says. @throws Error for a text that is none */
export const readCheckpoint = (note: string): CheckpointBody => {
  const [origin = '', size = '', root = ''] = note.split('\n');
  const bytes = Buffer.from(root, 'base64');
  if (!/^(0|[1-9]\d*)$/.test(size) || bytes.length !== 32) throw new Error('not a checkpoint');
  return { origin, size: Number(size), root: bytes };
};

/** What stands before a raw Ed25519 public key in SubjectPublicKeyInfo (RFC 8410). */
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex');

/** Which of these keys have signed the note; a text that is no note was signed by none. */
export const signersOf = (note: string, vkeys: readonly string[]): string[] => {
  const end = note.indexOf('\n\n');
  const body = Buffer.from(note.slice(0, end + 1));
  const lines = note.slice(end + 2).split('\n');
  return vkeys.filter((vkey) => {
    const [name = '', id = '', key = ''] = vkey.split('+');
    const raw = Buffer.from(key, 'base64');
    if (end < 0 || raw.length !== 33) return false;
    const publicKey = createPublicKey({
      key: Buffer.concat([spkiPrefix, raw.subarray(1)]),
      format: 'der',
      type: 'spki',
    });
    return lines.some((line) => {
      const [dash, signer, text = ''] = line.split(' ');
      const bytes = Buffer.from(text, 'base64');
      return (
        dash === '—' &&
        signer === name &&
        bytes.subarray(0, keyIdBytes).toString('hex') === id &&
        verify(null, body, publicKey, bytes.subarray(keyIdBytes))
      );
    });
  });
};
