/**
 * The bad receivers, and one that is well, each on a port of its own and all in a process of their
 * own, so that what they burn is not ours. Tells its parent the ports, by name.
 */
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer as createTcp, type Server } from 'node:net';
import { createServer as createTls } from 'node:tls';
import { badReceivers } from './bad-receivers.ts';

const [certFile = '', keyFile = ''] = process.argv.slice(2);
const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };

/** How far a receiver is that is well: the way there and back, over the Internet. */
const wellMs = 20;

const listen = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
};

const ports: Record<string, number> = {};
for (const { name, before, talk } of badReceivers) {
  const quietly = (socket: Parameters<typeof talk>[0]) => {
    socket.on('error', () => {});
    talk(socket);
    if (!socket.listenerCount('data') && !socket.isPaused()) socket.resume();
  };
  const server = before === 'tls' ? createTcp(quietly) : createTls(credentials, quietly);
  ports[name] = await listen(server);
}
ports.well = await listen(
  createTls(credentials, (socket) => {
    socket.on('error', () => {});
    const answer = () => socket.write('HTTP/1.1 204 No Content\r\n\r\n');
    socket.on('data', () => setTimeout(answer, wellMs));
  }),
);
process.on('disconnect', () => process.exit());
process.send!(ports);
