export { Failure, invalid, privateCause, toFailure, valueError } from './failure.ts';
export { type FailureKind, isFailureKind, kinds, leavesOpen, rpcCodes } from './kinds.ts';
