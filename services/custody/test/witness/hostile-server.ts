/** Servers that are no good witnesses. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { vkeyOfWitness } from '@pto/custody-verifier/cosign';
import { noteKeyOfSeed } from '@pto/custody-verifier/sign-note';

/** Starts a server, as the witness of that name. */
export const startHostile = async (name: string, seed: number, listener: RequestListener) => {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const vkey = vkeyOfWitness(noteKeyOfSeed(name, Buffer.alloc(32, seed)));
  return {
    setting: `${vkey}@http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

/** Reads nothing and never answers. @returns how many requests are open at the same moment, at most. */
export const hangs = () => {
  const seen = { open: 0, openMax: 0, requests: 0 };
  const listener: RequestListener = (_, response) => {
    seen.requests++;
    seen.open++;
    seen.openMax = Math.max(seen.openMax, seen.open);
    response.once('close', () => {
      seen.open--;
    });
  };
  return { seen, listener };
};

/** Sends ten gigabytes, as fast as they are read. */
export const floods = () => {
  const seen = { bytes: 0, requests: 0 };
  const listener: RequestListener = (_, response) => {
    seen.requests++;
    response.writeHead(200, { 'content-length': '10000000000' });
    const chunk = Buffer.alloc(65_536, 'x');
    const more = () => {
      while (!response.destroyed && seen.bytes < 10_000_000_000 * seen.requests) {
        seen.bytes += chunk.length;
        if (!response.write(chunk)) return void response.once('drain', more);
      }
    };
    more();
  };
  return { seen, listener };
};

/** Sends a byte every 100 ms: no single read takes long. */
export const drips: RequestListener = (_, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write('x'), 100);
  response.once('close', () => clearInterval(timer));
};

/** Answers with a status and a text. */
export const answers =
  (status: number, body: string): RequestListener =>
  (request, response) => {
    request.resume();
    response.writeHead(status).end(body);
  };
