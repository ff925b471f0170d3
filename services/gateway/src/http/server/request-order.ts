import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The requests of one connection, and its bytes that the HTTP parser has not got yet. */
interface Feed {
  /** Responses that are not closed: one, or two if a request came in the bytes that ended a body. */
  readonly open: Set<ServerResponse>;
  last: ServerResponse | undefined;
  unparsed: Buffer;
  parse(bytes: Buffer): void;
}

/**
 * Serves the requests of a connection one at a time. Node's parser starts every request of the
 * bytes that it gets, so a client that sends 1,500 requests at once would have 1,500 under way.
 * Here the parser gets one head of a request at a time, and the next one when the response before
 * it is closed. Until then the connection is not read beyond the bytes of one read, at most 64 KiB.
 */
export const orderRequests = (server: Server) => {
  const feeds = new WeakMap<Socket, Feed>();

  server.on('connection', (socket) => {
    // the listener that Node's server has added; it gives the bytes to the parser
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    socket.off('data', parse!);
    const feed: Feed = {
      open: new Set(),
      last: undefined,
      unparsed: none,
      parse: (bytes) => parse!.call(socket, bytes),
    };
    feeds.set(socket, feed);
    socket.on('data', (bytes: Buffer) => {
      feed.unparsed = feed.unparsed.length > 0 ? Buffer.concat([feed.unparsed, bytes]) : bytes;
      feedParser(feed, socket);
    });
  });

  return {
    /** Returns the handler, which notes each request until its response is closed. */
    noted:
      (handler: RequestListener): RequestListener =>
      (request, response) => {
        const { socket } = request;
        const feed = feeds.get(socket)!;
        feed.open.add(response);
        feed.last = response;
        response.on('close', () => {
          feed.open.delete(response);
          if (!request.complete) closeUnlessComplete(request, socket);
          if (feed.unparsed.length === 0) return;
          feedParser(feed, socket);
          if (feed.unparsed.length === 0) socket.resume();
        });
        handler(request, response);
      },
    /** Returns the responses of a connection that are not closed. */
    openOn: (socket: Socket): readonly ServerResponse[] => [...(feeds.get(socket)?.open ?? [])],
    /** Returns the newest response of a connection. */
    lastOn: (socket: Socket): ServerResponse | undefined => feeds.get(socket)?.last,
  };
};

export type RequestOrder = ReturnType<typeof orderRequests>;

/** Time in ms in which a client must end a body whose request was answered before. */
const lateBodyMs = 5000;

/**
 * Closes the connection after 5 s unless the body of its answered request is complete by then. An
 * immediate close could take the response from a client that is still sending.
 */
const closeUnlessComplete = (request: IncomingMessage, socket: Socket): void => {
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, lateBodyMs);
  socket.once('close', () => clearTimeout(timer));
};

const none = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');

/** Gives the parser bytes up to the end of the next head, as long as it may get more. */
const feedParser = (feed: Feed, socket: Socket): void => {
  while (feed.unparsed.length > 0 && mayParse(feed) && !socket.destroyed) {
    const bytes = feed.unparsed;
    const at = bytes.indexOf(headEnd);
    const end = at < 0 ? bytes.length : at + headEnd.length;
    feed.unparsed = end === bytes.length ? none : bytes.subarray(end);
    feed.parse(end === bytes.length ? bytes : bytes.subarray(0, end));
  }
  if (feed.unparsed.length > 0) socket.pause();
};

/** Returns whether no request is under way, or one whose body is not complete. */
const mayParse = ({ open }: Feed): boolean => {
  if (open.size > 1) return false;
  for (const { req } of open) return !req.complete;
  return true;
};
