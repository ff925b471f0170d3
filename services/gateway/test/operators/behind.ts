import type { DescService } from '@bufbuild/protobuf';
import type { Implementation } from '@pto/rpc';
import { remoteMounts } from '../../src/operators/targets.ts';

/** Every service behind the operator gateway; each RPC answers with an empty message. */
export const emptyServices = (
  handle: (
    service: DescService,
    rpc: string,
    request: object,
  ) => Promise<object> = async () => ({}),
): Implementation[] =>
  [...new Set(remoteMounts.flatMap(({ services }) => services))].map((service) => ({
    service,
    handlers: Object.fromEntries(
      service.methods.map(({ localName, name }) => [
        localName,
        (request: never) => handle(service, name, request),
      ]),
    ),
  }));
