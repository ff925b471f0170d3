/** What the two ends of a bundle of calls agree on (rpc/v1/bundle.proto). */
import { BundleService } from '@pto/proto/rpc/v1/bundle';
import { grpcMethod } from '../grpc-definition.ts';

export const bundleDefinition = grpcMethod(BundleService.method.callMany);

/** Calls in one message. */
export const bundleCallsMax = 64;
/** Bytes of their requests together; a server receives messages of 1 MiB at most. */
export const bundleBytesMax = 512 * 1024;
/** Bytes of the results in one message, unless it is a single one. */
export const bundleResultBytesMax = 1024 * 1024;
