import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A request that the proxy received. */
export interface Asked {
  /** The request's first line. */
  readonly line: string;
  readonly authorization: string | undefined;
}

/** How it answers a CONNECT: opens the way, or by its own hand. */
type Manner = 'opens' | ((socket: Socket) => void);

/** An HTTP proxy that supports only CONNECT, and connects to loopback for every address. */
export const startProxy = async (manner: Manner = 'opens') => {
  const asked: Asked[] = [];
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket);
    let head = '';
    socket.on('data', function read(chunk) {
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      socket.off('data', read);
      const line = head.split('\r\n')[0]!;
      asked.push({ line, authorization: /^proxy-authorization: (.*)$/im.exec(head)?.[1] });
      if (manner !== 'opens') return manner(socket);
      const port = Number(/:(\d+) HTTP/.exec(line)?.[1]);
      const onward = connect({ host: '127.0.0.1', port }, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        socket.pipe(onward).pipe(socket);
      });
      onward.on('close', () => socket.destroy());
      keep(onward);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    asked,
    /** Connections that stand, to it and from it. */
    open: () => sockets.size,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
};
