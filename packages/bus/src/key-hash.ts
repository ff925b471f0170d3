/**
 * Returns a 32-bit hash of a key. It must stay the same in every process and release, because
 * stored rows depend on it (partition, shard). FNV-1a, then Murmur's finalizer, which mixes the low
 * bits.
 */
export const keyHash = (key: string): number => {
  let h = 0x811c9dc5;
  for (const byte of Buffer.from(key)) h = Math.imul(h ^ byte, 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};
