import {
  type DescMethod,
  type DescService,
  fromBinary,
  type Message,
  toBinary,
} from '@bufbuild/protobuf';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';

const bytes = (descriptor: DescMethod['input']) => ({
  serialize: (message: Message) => {
    const { buffer, byteOffset, byteLength } = toBinary(descriptor, message);
    return Buffer.from(buffer, byteOffset, byteLength); // no copy: a list page can have 1 MiB
  },
  deserialize: (buffer: Buffer) => fromBinary(descriptor, buffer),
});

/** Full name of an RPC, e.g. `orders.v1.OrderService/GetOrder`. */
export const rpcName = ({ parent, name }: DescMethod): string => `${parent.typeName}/${name}`;

/**
 * Converts a method to grpc-js's form. protobuf-es serializes, so no second code generator is
 * needed.
 */
export const grpcMethod = (method: DescMethod): MethodDefinition<Message, Message> => {
  const input = bytes(method.input);
  const output = bytes(method.output);
  return {
    path: `/${rpcName(method)}`,
    requestStream: false,
    responseStream: method.methodKind === 'server_streaming',
    requestSerialize: input.serialize,
    requestDeserialize: input.deserialize,
    responseSerialize: output.serialize,
    responseDeserialize: output.deserialize,
  };
};

export const grpcDefinition = (service: DescService): ServiceDefinition =>
  Object.fromEntries(service.methods.map((m) => [m.localName, grpcMethod(m)]));

/** Trailing metadata that carries the public part of a Failure. */
export const failureHeader = 'failure-bin';
export const requestIdHeader = 'x-request-id';
