import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Bytes of a body, chunks' heads included, that the parser gets before the handler reads the body.
 * Each chunk becomes a buffer of its own, so a body in chunks of one byte takes many times its size.
 */
const unreadMaxBytes = 16 * 1024;
/**
 * Bytes of a body that are read and dropped after its response, with and without a stated length.
 * Dropping them lets a client that sends all of its body first read the response.
 */
const [drainMaxBytes, chunkedDrainMaxBytes] = [4 * 1024 * 1024, 512 * 1024];
/**
 * Bytes of a chunked body that the parser gets in one iteration of the event loop. 64 KiB can be
 * 11,000 chunks, which take the parser 10 ms.
 */
const chunkedSliceBytes = 8 * 1024;
/** Time in ms in which a client must end a body whose request was answered before. */
const lateBodyMs = 5000;

/** The requests of one connection, and its bytes that the HTTP parser has not got yet. */
interface Feed {
  readonly socket: Socket;
  /** Responses that are not closed: one, or two if a request came in the bytes that ended a body. */
  readonly open: Set<ServerResponse>;
  last: ServerResponse | undefined;
  /** Bytes that the parser got for the body of the last request. */
  bodyBytes: number;
  unparsed: Buffer;
  parse(bytes: Buffer): void;
}

/**
 * Serves the requests of a connection one at a time. Node's parser starts every request of the
 * bytes that it gets, so a client that sends 1,500 requests at once would have 1,500 under way.
 * Here the parser gets one head of a request at a time, and the next one when the response before
 * it is closed; it gets a body as it is read. Until then the connection is not read beyond the
 * bytes of one read, at most 64 KiB.
 */
export const orderRequests = (server: Server) => {
  const feeds = new WeakMap<Socket, Feed>();

  server.on('connection', (socket) => {
    // the listener that Node's server has added; it gives the bytes to the parser
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    socket.off('data', parse!);
    const feed: Feed = {
      socket,
      open: new Set(),
      last: undefined,
      bodyBytes: 0,
      unparsed: none,
      parse: (bytes) => parse!.call(socket, bytes),
    };
    feeds.set(socket, feed);
    socket.on('data', (bytes: Buffer) => {
      feed.unparsed = feed.unparsed.length > 0 ? Buffer.concat([feed.unparsed, bytes]) : bytes;
      feedParser(feed);
    });
  });

  return {
    /** Returns the handler, which notes each request until its response is closed. */
    noted:
      (handler: RequestListener): RequestListener =>
      (request, response) => {
        const feed = feeds.get(request.socket)!;
        feed.open.add(response);
        feed.last = response;
        feed.bodyBytes = 0;
        if (hasBody(request)) request.on('resume', () => goOn(feed));
        response.on('close', () => {
          feed.open.delete(response);
          if (!request.complete) closeUnlessComplete(request);
          goOn(feed);
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

const none = Buffer.alloc(0);
const headEnd = Buffer.from('\r\n\r\n');

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Gives the parser what waits, and reads on if nothing waits any more. */
const goOn = (feed: Feed): void => {
  if (feed.unparsed.length === 0) return;
  feedParser(feed);
  if (feed.unparsed.length === 0) feed.socket.resume();
};

/** Gives the parser bytes up to the end of the next head, as long as it may get more. */
const feedParser = (feed: Feed): void => {
  while (feed.unparsed.length > 0 && !feed.socket.destroyed) {
    const bytes = feed.unparsed;
    const isChunked = isChunkedBody(feed);
    const most = Math.min(admitted(feed), isChunked ? chunkedSliceBytes : bytes.length);
    const at = bytes.indexOf(headEnd);
    const end = Math.min(at < 0 ? bytes.length : at + headEnd.length, most);
    if (end <= 0) break;
    feed.unparsed = end === bytes.length ? none : bytes.subarray(end);
    feed.bodyBytes += end;
    feed.parse(end === bytes.length ? bytes : bytes.subarray(0, end));
    if (isChunked && feed.unparsed.length > 0) {
      setImmediate(goOn, feed); // other connections run before the next slice
      break;
    }
  }
  if (feed.unparsed.length > 0) feed.socket.pause();
};

/** Returns whether the parser is in the chunked body of the last request. */
const isChunkedBody = ({ last }: Feed): boolean =>
  last !== undefined && !last.req.complete && last.req.headers['transfer-encoding'] !== undefined;

/**
 * Returns how many bytes the parser may get: any number for a new request or a body that is read,
 * none while a complete request is under way. Closes the connection of an answered request whose
 * body is too large.
 */
const admitted = (feed: Feed): number => {
  const { socket, open, last, bodyBytes } = feed;
  if (open.size > 1) return 0;
  for (const { req } of open) {
    if (req.complete) return 0;
    return req.readableFlowing ? Number.POSITIVE_INFINITY : unreadMaxBytes - bodyBytes;
  }
  const drainMax = isChunkedBody(feed) ? chunkedDrainMaxBytes : drainMaxBytes;
  if (last === undefined || last.req.complete || bodyBytes <= drainMax)
    return Number.POSITIVE_INFINITY;
  socket.destroy();
  return 0;
};

/**
 * Closes the connection after 5 s unless the body of its answered request is complete by then. An
 * immediate close could take the response from a client that is still sending.
 */
const closeUnlessComplete = (request: IncomingMessage): void => {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, lateBodyMs);
  socket.once('close', () => clearTimeout(timer));
};
