export { type ConnectClient, type ConnectClientOptions, connectClient } from './connect-client.ts';
export {
  type ConnectCall,
  type ConnectMount,
  connectListener,
} from './connect-listener.ts';
export { type ConnectServer, startConnectServer } from './connect-server.ts';
export { type GrpcClient, grpcClient } from './grpc-client.ts';
export { type GrpcServer, startGrpcServer } from './grpc-server.ts';
export {
  type CallContext,
  type Handlers,
  type Implementation,
  implement,
} from './implementation.ts';
export { type OperatorClientOptions, operatorClient } from './operator-client.ts';
export { rpcClientSettings, rpcServerSettings } from './settings.ts';
