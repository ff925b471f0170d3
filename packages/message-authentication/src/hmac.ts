import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
const innerPad = 0x36;
const outerPad = 0x5c;

/** Buffer that every call reuses for its input; a longer input gets a buffer of its own. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/**
 * Computes HMAC-SHA-256 (RFC 2104) with one key, by two calls of Node's `hash`. `createHmac`
 * allocates an object for each MAC, which takes three times the CPU time for a message of a few
 * hundred bytes.
 */
export class Hmac {
  /** The key XOR the inner pad, one block. */
  readonly #inner: Buffer;
  /** The key XOR the outer pad, one block, and space for the inner hash. */
  readonly #outer: Buffer;

  /** @param key at most 64 bytes. @throws RangeError for a longer key. */
  constructor(key: Uint8Array) {
    if (key.length > blockBytes) throw new RangeError('the key is longer than a block of SHA-256');
    this.#inner = Buffer.alloc(blockBytes, innerPad);
    this.#outer = Buffer.alloc(blockBytes + digestBytes, outerPad);
    for (const [n, byte] of key.entries()) {
      this.#inner[n]! ^= byte;
      this.#outer[n]! ^= byte;
    }
  }

  /**
   * Returns the HMAC of a text in UTF-8 followed by bytes, as 32 Latin-1 characters, one for each
   * byte of the code.
   */
  codeOf(text: string, bytes: Uint8Array): string {
    const most = blockBytes + 3 * text.length + bytes.length;
    const input = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
    input.set(this.#inner);
    const at = blockBytes + input.write(text, blockBytes);
    input.set(bytes, at);
    const inner = hash('sha256', input.subarray(0, at + bytes.length), 'binary');
    this.#outer.write(inner, blockBytes, 'latin1');
    return hash('sha256', this.#outer, 'binary');
  }
}
