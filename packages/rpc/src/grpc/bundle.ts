/**
 * Limits and definition that client and server of bundles share (rpc/v1/bundle.proto). Bundles
 * serve R1: CPU time of a read in the gateway 1,021 to 423 µs (docs/performance.md).
 */
import { BundleService } from '@pto/proto/rpc/v1/bundle';
import { grpcMethod } from '../grpc-definition.ts';

export const bundleDefinition = grpcMethod(BundleService.method.callMany);

/** Maximum number of calls per bundle. */
export const bundleCallsMax = 64;
/** Maximum size of a bundle's requests in bytes. A server receives messages of at most 1 MiB. */
export const bundleBytesMax = 512 * 1024;
/** Maximum size of the results in one message, in bytes, unless the message has a single result. */
export const bundleResultBytesMax = 1024 * 1024;
