import type { RequestListener } from 'node:http';

/**
 * Serves one request of a connection at a time. A connection that sends the next one before its
 * response is closed: Node would start all requests of a pipeline at once, 1,500 for each read.
 * Browsers, reverse proxies and the clients of this project do not pipeline.
 */
export const oneRequest = (handler: RequestListener): RequestListener => {
  const busy = new WeakSet<object>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return; // the rest of a pipeline
    if (busy.has(socket)) {
      socket.destroy();
      return;
    }
    busy.add(socket);
    response.once('close', () => busy.delete(socket));
    handler(request, response);
  };
};
