export { sha256, sha256Hex } from '#sha256';
export { toBase64 } from './bytes.ts';
export { commitmentIn, commitmentOf } from './commitment.ts';
export {
  type IndexTiles,
  leafOfKey,
  loadTiles,
  type ReadIndexTiles,
  type UpdatedIndex,
  updateTiles,
} from './completeness/index-tiles.ts';
export {
  emptyIndexHash,
  type IndexLeaf,
  type LoggedEntry,
  orderKey,
  rebuildIndexRoot,
  valueHash,
} from './completeness/order-index.ts';
export {
  type OrderInIndex,
  type OrderPath,
  orderIndexRoot,
  proveOrder,
} from './completeness/order-proof.ts';
export {
  type DeviceRecord,
  deviceKeyId,
  deviceOpening,
  deviceRecordOf,
  deviceRenewal,
  deviceStatement,
  isDeviceSignature,
  type KeptRecord,
  type SignedRecord,
} from './device-record.ts';
export {
  type ChainEntry,
  canonicalJson,
  contentDigest,
  type Disclosure,
  type EventContent,
  entryHash,
  entryText,
  genesisHash,
} from './entry-hash.ts';
export {
  type HashesAt,
  type NodeAt,
  proveConsistency,
  proveInclusion,
  rootOf,
} from './log/prove-paths.ts';
export {
  consistencyFault,
  emptyRoot,
  entryLeafHash,
  inclusionRoot,
  type LogState,
  leafHash,
  nodeHash,
} from './log/verify-paths.ts';
export {
  type Checkpoint,
  type CheckpointLines,
  checkpointLines,
  checkpointText,
  parseCheckpoint,
  readCheckpointLines,
} from './note/checkpoint.ts';
export {
  type Cosignature,
  cosignaturesOf,
  parseNote,
  type SignedNote,
  signersOf,
} from './note/signed-note.ts';
export {
  type LogKey,
  parseVkey,
  parseWitnessVkey,
  type VerifierKey,
  vkeyOf,
  type WitnessKey,
} from './note/vkey.ts';
export type { PersonalField, PersonalFields } from './personal-fields.ts';
export type {
  DevicePart,
  HistoryVerdict,
  InvalidVerdict,
  LogPart,
  ProofVerdict,
  Signer,
  WitnessPart,
} from './proof/history-verdict.ts';
export {
  genesisRule,
  type ProofCompleteness,
  type ProofFile,
  type ProofKey,
  type ProofLog,
  proofVersion,
} from './proof/proof-file.ts';
export type { TrustedKey } from './proof/signed-checkpoint.ts';
export { type ProofOptions, type Seen, verifyEvents, verifyProof } from './proof/verify-proof.ts';
export type { Witnesses } from './proof/witnesses.ts';
export { readJson } from './read-json.ts';
export { Rejection } from './rejection.ts';
export { type ChainVerdict, type Head, verifyChain } from './verify-chain.ts';
