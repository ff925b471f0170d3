export { Failure, type FailureDetails, privateCause, toFailure } from './failure.ts';
export { invalid, valueError } from './invalid.ts';
export { type FailureKind, isFailureKind, kinds, type RpcCode, rpcCodes } from './kinds.ts';
