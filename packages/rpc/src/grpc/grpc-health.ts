import { create, type Message } from '@bufbuild/protobuf';
import type {
  Server,
  ServerUnaryCall,
  ServerWritableStream,
  sendUnaryData,
  UntypedServiceImplementation,
} from '@grpc/grpc-js';
import {
  Health,
  HealthCheckResponse_ServingStatus,
  HealthCheckResponseSchema,
} from '@pto/proto/grpc/health/v1/health';
import { grpcDefinition } from '../grpc-definition.ts';

/**
 * Adds grpc.health.v1 for the complete server. The status is SERVING until `stop` is called, so
 * that callers' channels leave the server before it closes. The state of the stores does not change
 * the status; `/readyz` reports it.
 */
export const addHealth = (server: Server): { stop(): void } => {
  let serving = true;
  const watchers = new Set<ServerWritableStream<Message, Message>>();
  const response = () =>
    create(HealthCheckResponseSchema, {
      status: serving
        ? HealthCheckResponse_ServingStatus.SERVING
        : HealthCheckResponse_ServingStatus.NOT_SERVING,
    });
  server.addService(grpcDefinition(Health), {
    check: (_: ServerUnaryCall<Message, Message>, done: sendUnaryData<Message>) =>
      done(null, response()),
    watch: (stream: ServerWritableStream<Message, Message>) => {
      stream.write(response());
      watchers.add(stream);
      stream.on('cancelled', () => watchers.delete(stream));
    },
  } as unknown as UntypedServiceImplementation);
  return {
    stop: () => {
      serving = false;
      for (const stream of watchers) {
        stream.write(response());
        stream.end();
      }
    },
  };
};
