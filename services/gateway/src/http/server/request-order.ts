import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timings } from '../../config.ts';
import { nextPart, noBytes } from './request-parts.ts';

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
/** Bytes of a body that the parser gets in one iteration of the event loop. */
const iterationBytes = 8 * 1024;
/**
 * Bytes of a body that are read ahead of the parser, so that a client that closes its connection
 * while its request waits is noticed; of one connection, and of all together.
 */
const [aheadMaxBytes, aheadOfAllMaxBytes] = [256 * 1024, 64 * 1024 * 1024];

/** The requests of one connection, and its bytes that the HTTP parser has not got yet. */
interface Feed {
  readonly socket: Socket;
  /** Responses that are not closed. */
  readonly open: Set<ServerResponse>;
  last: ServerResponse | undefined;
  /** Bytes that the parser got for the body of the last request. */
  bodyBytes: number;
  /** The last bytes of a head that has not arrived completely. */
  headTail: Buffer;
  unparsed: Buffer;
  parse(bytes: Buffer): void;
  /** Whether the parser must get nothing more: it may belong to another connection already. */
  isOver: boolean;
}

/**
 * Serves the requests of a connection one after the other. Node's parser starts every request of
 * the bytes that it gets, so a client that sends 1,500 requests at once would have 1,500 under way.
 * Here the parser gets one head of a request at a time, and the next one when the response before
 * it is closed; it gets a body as it is read. Behind a chunked body, whose end only the parser
 * knows, a few requests can start together.
 */
export const orderRequests = (server: Server, { lateBodyMs }: Pick<Timings, 'lateBodyMs'>) => {
  const feeds = new WeakMap<Socket, Feed>();
  let aheadOfAll = 0;

  const setUnparsed = (feed: Feed, bytes: Buffer): void => {
    aheadOfAll += bytes.length - feed.unparsed.length;
    feed.unparsed = bytes;
  };

  /** Gives the parser what it may get, and pauses the connection if too much is left. */
  const feedParser = (feed: Feed): void => {
    const { socket } = feed;
    for (let left = iterationBytes; feed.unparsed.length > 0; ) {
      if (feed.isOver || socket.destroyed) {
        setUnparsed(feed, noBytes);
        return;
      }
      const part = nextPart(
        feed.unparsed,
        { bodyLeft: bodyLeftOf(feed), headTail: feed.headTail },
        left,
      );
      const end = Math.min(part.end, admitted(feed));
      if (end <= 0) break;
      const bytes = feed.unparsed;
      setUnparsed(feed, end === bytes.length ? noBytes : bytes.subarray(end));
      feed.headTail = part.headTail;
      feed.bodyBytes += end;
      feed.parse(end === bytes.length ? bytes : bytes.subarray(0, end));
      if (part.isBody) left -= end;
      if (left <= 0 && feed.unparsed.length > 0) {
        setImmediate(goOn, feed); // other connections run before the next part
        break;
      }
    }
    const isAhead = isInBody(feed) && aheadOfAll <= aheadOfAllMaxBytes;
    if (feed.unparsed.length > (isAhead ? aheadMaxBytes : 0)) socket.pause();
  };

  const goOn = (feed: Feed): void => {
    if (feed.unparsed.length === 0) return;
    feedParser(feed);
    if (feed.unparsed.length === 0) feed.socket.resume();
  };

  server.on('connection', (socket) => {
    // the listener that Node's server has added; it gives the bytes to the parser
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    socket.off('data', parse!);
    const feed: Feed = {
      socket,
      open: new Set(),
      last: undefined,
      bodyBytes: 0,
      headTail: noBytes,
      unparsed: noBytes,
      parse: (bytes) => parse!.call(socket, bytes),
      isOver: false,
    };
    feeds.set(socket, feed);
    socket.on('data', (bytes: Buffer) => {
      if (feed.isOver) return;
      setUnparsed(feed, feed.unparsed.length > 0 ? Buffer.concat([feed.unparsed, bytes]) : bytes);
      feedParser(feed);
    });
    socket.once('close', () => setUnparsed(feed, noBytes));
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
        if (lengthOf(request) > 0) request.on('resume', () => goOn(feed));
        response.on('close', () => {
          feed.open.delete(response);
          if (!request.complete) closeUnlessComplete(request, lateBodyMs);
          goOn(feed);
        });
        handler(request, response);
      },
    /**
     * Gives the parser no further bytes of a connection. Node frees the parser after CONNECT and
     * lets the next connection use it.
     */
    end: (socket: Socket): void => {
      const feed = feeds.get(socket);
      if (feed) feed.isOver = true;
    },
    /** Returns the responses of a connection that are not closed. */
    openOn: (socket: Socket): readonly ServerResponse[] => [...(feeds.get(socket)?.open ?? [])],
    /** Returns the newest response of a connection. */
    lastOn: (socket: Socket): ServerResponse | undefined => feeds.get(socket)?.last,
  };
};

export type RequestOrder = ReturnType<typeof orderRequests>;

/** Returns the length of a request's body; Infinity if it is chunked. */
const lengthOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : Number.POSITIVE_INFINITY;

const isInBody = ({ last }: Feed): boolean => last !== undefined && !last.req.complete;

/** Returns the bytes that are left of the body in which the parser is; 0 if it is in none. */
const bodyLeftOf = (feed: Feed): number =>
  isInBody(feed) ? Math.max(1, lengthOf(feed.last!.req) - feed.bodyBytes) : 0;

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
  if (last === undefined || !isInBody(feed)) return Number.POSITIVE_INFINITY;
  const isChunked = lengthOf(last.req) === Number.POSITIVE_INFINITY;
  if (bodyBytes <= (isChunked ? chunkedDrainMaxBytes : drainMaxBytes))
    return Number.POSITIVE_INFINITY;
  socket.destroy();
  return 0;
};

/**
 * Closes the connection after `lateBodyMs` unless the body of its answered request is complete by then. An
 * immediate close could take the response from a client that is still sending.
 */
const closeUnlessComplete = (request: IncomingMessage, lateBodyMs: number): void => {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, lateBodyMs);
  socket.once('close', () => clearTimeout(timer));
};
