export { type CallContext, type Handlers, type Implementation, implement } from './call.ts';
export { chainExpiry, showExpiry } from './certificate-expiry.ts';
export {
  type ConnectClient,
  type ConnectClientOptions,
  connectClient,
  operatorClient,
} from './connect/connect-client.ts';
export {
  type ConnectCall,
  type ConnectMount,
  connectListener,
} from './connect/connect-listener.ts';
export { type ConnectServer, startConnectServer } from './connect/connect-server.ts';
export { grpcClient } from './grpc/grpc-client.ts';
export { type GrpcServer, startGrpcServer } from './grpc/grpc-server.ts';
export { statusService } from './status-service.ts';
export { rpcClientSettings, rpcServerSettings } from './tls.ts';
export { timeLeftMs } from './wire.ts';
