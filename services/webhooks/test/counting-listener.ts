import { type AddressInfo, createServer } from 'node:net';

/** Listens on loopback, both families on one port, and counts who connects. */
export const startCountingListener = async () => {
  let connections = 0;
  const listen = (host: string, port: number) => {
    const server = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    return new Promise<typeof server>((resolve, reject) => {
      server.once('error', reject).listen({ host, port, ipv6Only: true }, () => resolve(server));
    });
  };
  const v4 = await listen('127.0.0.1', 0);
  const { port } = v4.address() as AddressInfo;
  // where the machine has no IPv6 there is nothing to be counted there
  const v6 = await listen('::1', port).catch(() => null);
  return {
    port,
    connections: () => connections,
    close: () => {
      v4.close();
      v6?.close();
    },
  };
};
