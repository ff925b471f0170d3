/**
 * A 32-bit number out of a key, the same in every process and release: what is stored by it
 * (partition, shard) stays where it is. FNV-1a, then Murmur's finish so that low bits are mixed.
 */
export const keyHash = (key: string): number => {
  let h = 0x811c9dc5;
  for (const byte of Buffer.from(key)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};
