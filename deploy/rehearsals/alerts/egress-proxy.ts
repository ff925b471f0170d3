import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { freePorts } from '@pto/stores';
import type { Stage } from '../stage/rehearsal.ts';

/** An HTTP proxy for CONNECT, as an egress proxy is, which can be stopped and started again. */
export const openEgressProxy = async (stage: Stage) => {
  const [port = 0] = await freePorts(1);
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const start = (): Promise<void> => {
    const next = createServer();
    server = next;
    next.on('connection', (socket: Socket) => sockets.add(socket));
    next.on('connect', (request, near: Socket) => {
      const { hostname, port: to } = new URL(`http://${request.url}`);
      const far = connect(Number(to), hostname.replace(/^\[|\]$/g, ''), () => {
        near.write('HTTP/1.1 200 Connection established\r\n\r\n');
        far.pipe(near);
        near.pipe(far);
      });
      far.on('error', () => near.destroy());
      near.on('error', () => far.destroy());
    });
    return new Promise((resolve) => next.listen(port, '127.0.0.1', resolve));
  };
  const stop = async (): Promise<void> => {
    server?.close();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  stage.atEnd(stop);
  await start();
  return { url: `http://127.0.0.1:${port}`, start, stop };
};
