import { hash } from 'node:crypto';

const blockBytes = 64;
const digestBytes = 32;
const innerPad = 0x36;
const outerPad = 0x5c;

/** Memory that inputs are put together in, one after another; longer ones have their own. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/**
 * HMAC-SHA-256 (RFC 2104) with one key, by two calls of Node's one-shot `hash`. `createHmac` makes an
 * object for each code, which costs three times as much CPU time for a message of some hundred bytes.
 */
export class Hmac {
  /** The key's block with the inner pad. */
  readonly #inner: Buffer;
  /** The key's block with the outer pad, and room for the inner hash. */
  readonly #outer: Buffer;

  /** @param key at most 64 bytes; a longer one would have to be hashed first. */
  constructor(key: Uint8Array) {
    if (key.length > blockBytes) throw new RangeError('the key is longer than a block of SHA-256');
    this.#inner = Buffer.alloc(blockBytes, innerPad);
    this.#outer = Buffer.alloc(blockBytes + digestBytes, outerPad);
    for (const [n, byte] of key.entries()) {
      this.#inner[n]! ^= byte;
      this.#outer[n]! ^= byte;
    }
  }

  /** The 32 bytes of the code over a text's UTF-8 and then these bytes, one Latin-1 character each. */
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
