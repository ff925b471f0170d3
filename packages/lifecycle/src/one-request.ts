import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

/** The request that waits behind the one that is under way on a connection. */
interface Line {
  next: (() => void) | undefined;
}

/**
 * Serves one request of a connection at a time. One more may wait: a client that has read a response
 * can send its next request before this process has noticed the end of the response. A connection
 * that sends a third is closed: Node would start all requests of a pipeline at once, 1,500 for each
 * read. Browsers, reverse proxies and the clients of this project do not pipeline.
 */
export const oneRequest = (handler: RequestListener): RequestListener => {
  const lines = new WeakMap<object, Line>();
  const start = (request: IncomingMessage, response: ServerResponse, line: Line): void => {
    const { socket } = request;
    response.once('close', () => {
      const { next } = line;
      line.next = undefined;
      if (next && !socket.destroyed) next();
      else lines.delete(socket);
    });
    handler(request, response);
  };
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return; // the rest of a pipeline
    const line = lines.get(socket);
    if (line?.next) socket.destroy();
    else if (line) line.next = () => start(request, response, line);
    else {
      const own: Line = { next: undefined };
      lines.set(socket, own);
      start(request, response, own);
    }
  };
};
