import type { DescMethod } from '@bufbuild/protobuf';
import { Failure } from '@pto/errors';
import { type Caller, mayCall } from '@pto/proto/callers';
import { rpcName } from './grpc-definition.ts';
import type { Peer } from './identity.ts';

/** Header with the name of the operator for whom the operators service calls. */
export const operatorHeader = 'x-operator';

/**
 * Returns the caller if the table of callers allows it the RPC (decision 58).
 * @param operator the header's value, percent-encoded; used only in calls of the operators service.
 * @throws Failure CALLER_NOT_ALLOWED, whose message names the calling process and the RPC.
 */
export const authorize = (
  method: DescMethod,
  peer: Peer | undefined,
  operator: string | undefined,
): Caller => {
  const rpc = rpcName(method);
  if (!peer)
    throw new Failure('CALLER_NOT_ALLOWED', `${rpc}: the certificate names no known process.`);
  const caller =
    peer.process === 'operators' && operator !== undefined
      ? { process: peer.process, operator: decode(operator) }
      : { process: peer.process };
  if (!mayCall(method.parent.typeName, method.name, caller))
    throw new Failure('CALLER_NOT_ALLOWED', `${peer.process} may not call ${rpc}.`);
  return caller;
};

export const encodeOperator = (name: string): string => encodeURIComponent(name.toWellFormed());

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return ''; // no operator has this name
  }
};
