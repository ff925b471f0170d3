/** A parsed `X-Service-Signature` (contract 6.4): `t=<t>,v1=<hex>`, one `v1` for each secret. */
export interface SignatureHeader {
  /** Time in seconds since the epoch, as text: the signature covers these characters. */
  readonly t: string;
  /** The 32 bytes of each `v1`, in the order of the header. */
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
}

/**
 * Parses the header; null if it is malformed. Unknown schemes are ignored. Forms that two parsers
 * could read differently are malformed: two `t`, spaces, a leading zero, upper-case digits.
 */
export const readSignatureHeader = (header: unknown): SignatureHeader | null => {
  if (typeof header !== 'string' || header.length > lengthMost) return null;
  const times: string[] = [];
  const signatures: Uint8Array<ArrayBuffer>[] = [];
  for (const part of header.split(',')) {
    const [, scheme, value] = /^([a-z0-9_]+)=([\x21-\x7e]*)$/.exec(part) ?? [];
    if (scheme === undefined || value === undefined) return null;
    if (scheme === 't') times.push(value);
    if (scheme !== 'v1') continue;
    if (!/^[0-9a-f]{64}$/.test(value)) return null;
    signatures.push(bytesOf(value));
  }
  const [t] = times;
  if (t === undefined || times.length > 1 || !/^(0|[1-9][0-9]{0,11})$/.test(t)) return null;
  return signatures.length > signaturesMost ? null : { t, signatures };
};

/**
 * Maximum number of `v1` in a header, and maximum length of a header in characters. The first
 * bounds the number of HMACs over the body.
 */
const signaturesMost = 16;
const lengthMost = 4096;

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length / 2 }, (_, n) =>
    Number.parseInt(hex.slice(2 * n, 2 * n + 2), 16),
  );
