/** Encrypts bytes at rest with AES-256-GCM, by a ring of keys that an operator can rotate. */
export {
  type KeyRing,
  keyRing,
  parseSealingKey,
  type SealingKey,
  sealingKeys,
} from './key-ring.ts';
export { open, type Sealed, seal } from './seal.ts';
