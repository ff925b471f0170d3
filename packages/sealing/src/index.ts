/** Encrypts bytes at rest with AES-256-GCM, by a ring of keys that an operator can rotate. */
export { type KeyRing, keyRing as sealingKeys } from '@pto/config';
export { open, type Sealed, seal } from './seal.ts';
