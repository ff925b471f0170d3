export { Failure, invalid, privateCause, toFailure, valueError } from './failure.ts';
export { type FailureKind, isFailureKind, kinds, rpcCodes } from './kinds.ts';
