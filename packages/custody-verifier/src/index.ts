export { sha256, sha256Hex } from '#sha256';
export { toBase64 } from './bytes/base64.ts';
export { canonicalJson } from './canonical-json.ts';
export { contentDigest, type EventContent } from './content-digest.ts';
export { type ChainEntry, entryHash, entryText, genesisHash } from './entry-hash.ts';
export { readJson } from './json/read-json.ts';
export { appendLeaves } from './log/append-leaves.ts';
export { consistencyFault, type LogState } from './log/consistency.ts';
export { inclusionRoot } from './log/inclusion.ts';
export { emptyRoot, entryLeafHash, leafHash, nodeHash } from './log/log-hash.ts';
export { proveConsistency } from './log/prove-consistency.ts';
export { proveInclusion } from './log/prove-inclusion.ts';
export type { HashesAt, NodeAt, StoredNode } from './log/stored-nodes.ts';
export { rootOf } from './log/subtree.ts';
export {
  type Checkpoint,
  checkpointText,
  openCheckpoint,
  parseCheckpoint,
} from './note/checkpoint.ts';
export { parseNote, type SignedNote } from './note/signed-note.ts';
export { verifyNote } from './note/verify-note.ts';
export { parseVkey, type VerifierKey, vkeyOf } from './note/vkey.ts';
export type { TrustedKey } from './proof/keys.ts';
export {
  genesisRule,
  type ProofFile,
  type ProofKey,
  type ProofLog,
  proofVersion,
} from './proof/proof-file.ts';
export type {
  HistoryVerdict,
  InvalidVerdict,
  LogPart,
  ProofVerdict,
  Signer,
} from './proof/verdict.ts';
export { verifyEvents } from './proof/verify-events.ts';
export { type ProofOptions, type Seen, verifyProof } from './proof/verify-proof.ts';
export { Refused } from './refused.ts';
export { type ChainVerdict, type Head, verifyChain } from './verify-chain.ts';
