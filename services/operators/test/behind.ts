import type { DescService } from '@bufbuild/protobuf';
import type { Caller } from '@pto/proto/callers';
import type { CallContext, Implementation } from '@pto/rpc';
import { remoteMounts } from '../src/calls/forward.ts';

/** Every service behind the operators service; each RPC answers with an empty message. */
export const emptyServices = (
  handle: (service: DescService, rpc: string, caller: Caller) => Promise<object> = async () => ({}),
): Implementation[] =>
  [...new Set(remoteMounts.flatMap(({ services }) => services))].map((service) => ({
    service,
    handlers: Object.fromEntries(
      service.methods.map(({ localName, name }) => [
        localName,
        (_: never, { caller }: CallContext) => handle(service, name, caller),
      ]),
    ),
  }));
