export { sha256, sha256Hex } from '#sha256';
export { toBase64 } from './bytes/base64.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  type CheckpointLines,
  checkpointLines,
  readCheckpointLines,
} from './completeness/checkpoint-lines.ts';
export { emptyIndexHash, orderKey, valueHash } from './completeness/index-hash.ts';
export { IndexRoot } from './completeness/index-root.ts';
export type { IndexLeaf } from './completeness/index-subtree.ts';
export { type IndexTiles, loadTiles } from './completeness/load-tiles.ts';
export { type LoggedEntry, OrderHeads, rebuildIndexRoot } from './completeness/order-heads.ts';
export { type OrderInIndex, orderIndexRoot } from './completeness/order-root.ts';
export { leafOfKey, type OrderPath, proveOrder } from './completeness/prove-order.ts';
export type { IndexTile, ReadIndexTiles } from './completeness/tile.ts';
export { type UpdatedIndex, updateTiles } from './completeness/update-tiles.ts';
export { contentDigest, type EventContent } from './content-digest.ts';
export { type ChainEntry, entryHash, entryText, genesisHash } from './entry-hash.ts';
export { readJson } from './json/read-json.ts';
export { appendLeaves } from './log/append-leaves.ts';
export { consistencyFault, type LogState } from './log/consistency.ts';
export { inclusionRoot } from './log/inclusion.ts';
export { emptyRoot, entryLeafHash, leafHash, nodeHash } from './log/log-hash.ts';
export { proveConsistency } from './log/prove-consistency.ts';
export { proveInclusion } from './log/prove-inclusion.ts';
export type { HashesAt, NodeAt, StoredNode } from './log/subtree.ts';
export { rootOf } from './log/subtree.ts';
export {
  type Checkpoint,
  checkpointText,
  openCheckpoint,
  parseCheckpoint,
} from './note/checkpoint.ts';
export { type Cosignature, cosignaturesOf } from './note/cosignature.ts';
export { parseNote, type SignedNote } from './note/signed-note.ts';
export { signersOf, verifyNote } from './note/verify-note.ts';
export {
  type LogKey,
  parseVkey,
  parseWitnessVkey,
  type VerifierKey,
  vkeyOf,
  type WitnessKey,
} from './note/vkey.ts';
export type { TrustedKey } from './proof/keys.ts';
export {
  genesisRule,
  type ProofCompleteness,
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
  WitnessPart,
} from './proof/verdict.ts';
export { verifyEvents } from './proof/verify-events.ts';
export { type ProofOptions, type Seen, verifyProof } from './proof/verify-proof.ts';
export type { Witnesses } from './proof/witnesses.ts';
export { Rejection } from './rejection.ts';
export { type ChainVerdict, type Head, verifyChain } from './verify-chain.ts';
