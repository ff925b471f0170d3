/** A receiver that answers 204 at once over TLS, in a process of its own. Tells its parent the port. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';

const [certFile = '', keyFile = ''] = process.argv.slice(2);
const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
let count = 0;
const server = createServer({ ...credentials, keepAliveTimeout: 60_000 }, (request, response) => {
  request.resume();
  request.on('end', () => {
    count++;
    response.writeHead(204).end();
  });
});
process.on('message', () => process.send!({ count }));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port }),
);
