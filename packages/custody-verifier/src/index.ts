export { canonicalJson } from './canonical-json.ts';
export { type ChainEntry, entryHash, entryText, genesisHash, sha256Hex } from './entry-hash.ts';
export { type ChainVerdict, verifyChain } from './verify-chain.ts';
