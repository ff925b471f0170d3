// Runs in a pod of the cluster as a store of secrets. `POST /NAME` replaces a secret by the JSON object
// of the body; `GET /NAME/KEY` returns one value, as the webhook provider of External Secrets requests
// it. A slash in NAME may be escaped.
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';

const secrets = new Map();

createServer(async (request, response) => {
  const path = decodeURIComponent(request.url.slice(1));
  if (request.method === 'POST') {
    secrets.set(path, JSON.parse(await text(request)));
    response.writeHead(204).end();
    return;
  }
  const slash = path.lastIndexOf('/');
  const value = secrets.get(path.slice(0, slash))?.[path.slice(slash + 1)];
  response.writeHead(value === undefined ? 404 : 200).end(value);
}).listen(8080);
