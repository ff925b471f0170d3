import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpTimings } from './timings.ts';

/**
 * Bytes of a body, chunks' heads included, that the parser gets before the handler reads the body.
 * Each chunk becomes a buffer of its own, so a body in chunks of one byte takes many times its size.
 */
const unreadMaxBytes = 16 * 1024;
/**
 * Bytes of a chunked body that are read and dropped after its response. Dropping them lets a client
 * that sends all of its body first read the response. A body of stated length costs less: it is
 * dropped for `lateBodyMs`, whatever its length.
 */
const chunkedDrainMaxBytes = 512 * 1024;
/** Bytes of a body that the parser gets before a part of another connection's body. */
const partBytes = 8 * 1024;
/**
 * Time in ms for parts of bodies and for requests that were sent ahead in one iteration of the event
 * loop, of all connections together. A chunk of one byte costs as much as one of 8 KiB, so bytes do not
 * bound it.
 */
const partsMs = 2;
/**
 * Bytes of a chunked body that the parser gets at once. Only the parser knows where such a body
 * ends, and as many bytes behind it are at most ten requests.
 */
const chunkedPartBytes = 256;
/**
 * Bytes of a body that are read ahead of the parser, so that a client that closes its connection
 * while its request waits is noticed; of one connection, and of all together.
 */
const [aheadMaxBytes, aheadOfAllMaxBytes] = [256 * 1024, 16 * 1024 * 1024];
let aheadOfAll = 0;
/** Reads of fewer bytes are joined: each buffer of one byte takes 200. */
const joinedBytes = 16 * 1024;

const headEnd = Buffer.from('\r\n\r\n');
export const noBytes = Buffer.alloc(0);
const infinity = Number.POSITIVE_INFINITY;

/** Connections of which the parser may get a part of a body or the next request, in turn. */
const waiting = new Set<Feed>();
let isGiving = false;

const giveParts = (): void => {
  const until = performance.now() + partsMs;
  for (const feed of waiting) {
    waiting.delete(feed);
    feed.goOn();
    if (performance.now() >= until) break;
  }
  isGiving = waiting.size > 0;
  if (isGiving) setImmediate(giveParts);
};

const giveLater = (feed: Feed): void => {
  waiting.add(feed);
  if (!isGiving) setImmediate(giveParts);
  isGiving = true;
};

/** The requests of one connection, and its bytes that the HTTP parser has not got yet. */
class Feed {
  /** Responses that are not closed. */
  readonly open = new Set<ServerResponse>();
  last: ServerResponse | undefined;
  /** Whether the parser must get nothing more: it may belong to another connection already. */
  isOver = false;
  /** Bytes that the parser got for the body of the last request. */
  #bodyBytes = 0;
  /** Those of them that wait for the handler, and how much of the body that is without its chunks. */
  #unreadBytes = 0;
  #unreadLength = 0;
  /** The last bytes of a head that has not arrived completely. */
  #headTail: Buffer = noBytes;
  /** What was read and not parsed, in its order, and its length. */
  #unparsed: Buffer[] = [];
  #ahead = 0;
  readonly #socket: Socket;
  readonly #parse: (bytes: Buffer) => void;

  constructor(socket: Socket) {
    this.#socket = socket;
    // the listener that Node's server has added; it gives the bytes to the parser
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[];
    socket.off('data', parse!);
    this.#parse = (bytes) => parse!.call(socket, bytes);
    socket.on('data', (bytes: Buffer) => {
      if (this.isOver) return;
      const last = this.#unparsed.at(-1);
      if (last && last.length + bytes.length <= joinedBytes)
        this.#unparsed.splice(-1, 1, Buffer.concat([last, bytes]));
      else this.#unparsed.push(bytes);
      this.#changeAhead(bytes.length);
      if (this.#isInBody && isGiving) {
        giveLater(this);
        this.#pauseIfAhead();
      } else this.#feedParser();
    });
    socket.once('close', () => {
      waiting.delete(this);
      this.#drop();
    });
  }

  begin(response: ServerResponse): void {
    this.open.add(response);
    this.last = response;
    this.#bodyBytes = 0;
    this.#unreadBytes = 0;
    this.#unreadLength = 0;
  }

  /** Whether bytes wait for the parser. */
  get isAhead(): boolean {
    return this.#ahead > 0;
  }

  /** Gives the parser what it may get now. */
  goOn(): void {
    if (this.#ahead === 0) return;
    this.#feedParser();
    if (this.#ahead === 0) this.#socket.resume();
  }

  #changeAhead(by: number): void {
    this.#ahead += by;
    aheadOfAll += by;
  }

  #drop(): void {
    this.#unparsed = [];
    this.#changeAhead(-this.#ahead);
  }

  /** Takes the first bytes. */
  #take(count: number): Buffer {
    const [first = noBytes] = this.#unparsed;
    if (count === first.length) this.#unparsed.shift();
    else this.#unparsed[0] = first.subarray(count);
    this.#changeAhead(-count);
    return first.subarray(0, count);
  }

  /** Gives the parser what it may get, and pauses the connection if too much is left. */
  #feedParser(): void {
    for (let left = partBytes; this.#ahead > 0; ) {
      if (this.isOver || this.#socket.destroyed) {
        this.#drop();
        return;
      }
      const place = { bodyLeft: this.#bodyLeft, headTail: this.#headTail };
      const part = nextPart(this.#unparsed[0]!, place, left);
      const end = Math.min(part.end, this.#admitted());
      if (end <= 0) break;
      const bytes = this.#take(end);
      this.#headTail = part.headTail;
      this.#bodyBytes += end;
      this.#unreadBytes += end;
      this.#parse(bytes);
      this.#unreadLength = this.last?.req.readableLength ?? 0;
      if (part.isBody) left -= end;
      if (left <= 0 && this.#ahead > 0) {
        giveLater(this); // other connections run before the next part
        break;
      }
    }
    this.#pauseIfAhead();
  }

  #pauseIfAhead(): void {
    const isAhead = this.#isInBody && aheadOfAll <= aheadOfAllMaxBytes;
    if (this.#ahead > (isAhead ? aheadMaxBytes : 0)) this.#socket.pause();
  }

  /** Takes what the handler has read since the last call from the bytes that wait for it. */
  #noteUnread({ readableLength }: IncomingMessage): void {
    const part = this.#unreadLength > 0 ? Math.min(1, readableLength / this.#unreadLength) : 1;
    this.#unreadBytes = readableLength > 0 ? Math.ceil(this.#unreadBytes * part) : 0;
    this.#unreadLength = readableLength;
  }

  get #isInBody(): boolean {
    return this.last !== undefined && !this.last.req.complete;
  }

  /** The bytes that are left of the body in which the parser is; 0 if it is in none. */
  get #bodyLeft(): number {
    return this.#isInBody ? Math.max(1, lengthOf(this.last!.req) - this.#bodyBytes) : 0;
  }

  /**
   * Returns how many bytes the parser may get: any number for a new request, none while a complete
   * request is under way, and of a body what the handler has room for. Closes the connection of an
   * answered request whose chunked body is too large.
   */
  #admitted(): number {
    if (this.open.size > 1) return 0;
    for (const { req } of this.open) {
      if (req.complete) return 0;
      this.#noteUnread(req);
      return unreadMaxBytes - this.#unreadBytes;
    }
    if (!this.#isInBody) return infinity;
    const isChunked = lengthOf(this.last!.req) === infinity;
    if (!isChunked || this.#bodyBytes <= chunkedDrainMaxBytes) return infinity;
    this.#socket.destroy();
    return 0;
  }
}

/**
 * Serves the requests of a connection one after the other. Node's parser starts every request of
 * the bytes that it gets, so a client that sends 1,500 requests at once would have 1,500 under way.
 * Here the parser gets one head of a request at a time, and the next one when the response before
 * it is closed; it gets a body as it is read. Behind a chunked body, whose end only the parser
 * knows, a few requests can start together.
 */
export const orderRequests = (server: Server, { lateBodyMs }: Pick<HttpTimings, 'lateBodyMs'>) => {
  const feeds = new WeakMap<Duplex, Feed>();
  // the socket whose bytes are HTTP
  const event = server instanceof TlsServer ? 'secureConnection' : 'connection';
  server.on(event, (socket: Socket) => {
    const feed = new Feed(socket);
    feeds.set(socket, feed);
    closeAfterBody(socket, feed);
  });
  return {
    /** Returns the handler, which notes each request until its response is closed. */
    noted:
      (handler: RequestListener): RequestListener =>
      (request, response) => {
        const { socket } = request; // Node takes it from a request that is destroyed
        const feed = feeds.get(socket)!;
        feed.begin(response);
        if (lengthOf(request) > 0) whenRead(request, response, () => feed.goOn());
        response.on('close', () => {
          feed.open.delete(response);
          if (!request.complete) closeUnlessComplete(request, socket, lateBodyMs);
          // not at once: fast responses would follow each other without an iteration for others
          if (feed.isAhead) giveLater(feed);
        });
        handler(request, response);
      },
    /** Returns the requests of a connection. */
    of: (socket: Duplex): Feed | undefined => feeds.get(socket),
  };
};

export type RequestOrder = ReturnType<typeof orderRequests>;

/** Returns the length of a request's body; Infinity if it is chunked. */
const lengthOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : infinity;

/**
 * Calls back each time that the handler has read a part of the body, in any way in which a stream can
 * be read. The first attempt to read sends 100 Continue to a client that waits for it.
 */
const whenRead = (request: IncomingMessage, response: ServerResponse, more: () => void): void => {
  let awaited = isAwaited(request);
  const begin = () => {
    if (awaited && !request.complete) goOn(response);
    awaited = false;
  };
  request.on('resume', () => {
    begin();
    more();
  });
  // Node has no event for it: `_read` is not called again before there is more of the body
  const { read } = request;
  request.read = function (size) {
    begin();
    const part = read.call(this, size);
    if (part !== null) process.nextTick(more); // not within a call of the parser
    return part;
  };
};

/** Returns whether the client waits for 100 Continue before the body; never in HTTP/1.0. */
const isAwaited = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion !== '1.0' && headers.expect?.toLowerCase() === '100-continue';

/**
 * Sends 100 Continue. If the response to an earlier request on the same connection is not complete,
 * waits for its end: Node would write the status between the head and the body of that response.
 */
const goOn = (response: ServerResponse): void => {
  const send = () => response.headersSent || response.writeContinue();
  if (response.socket) send();
  else response.once('socket', send);
};

/**
 * Closes the connection after `lateBodyMs` unless the body of its answered request is complete by
 * then. An immediate close could take the response from a client that is still sending.
 */
const closeUnlessComplete = (
  request: IncomingMessage,
  socket: Socket,
  lateBodyMs: number,
): void => {
  const timer = setTimeout(() => {
    if (!request.complete) socket.destroy();
  }, lateBodyMs);
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop); // its body or its connection ends
};

/**
 * Delays the close after the last response of a connection, which Node does at once, until the body
 * of its request is complete: a client that is still sending would get a reset in place of the
 * response. `closeUnlessComplete` bounds the delay.
 */
const closeAfterBody = (socket: Socket, feed: Feed): void => {
  const close = socket.destroySoon.bind(socket);
  socket.destroySoon = () => {
    const request = feed.last?.req;
    if (!request || request.complete) close();
    else request.once('end', close).once('close', close);
  };
};

/** Where the parser is: in a body with so many bytes left (Infinity: chunked), or in a head. */
interface Place {
  readonly bodyLeft: number;
  /** The last bytes of the head that the parser got already. */
  readonly headTail: Buffer;
}

/**
 * Returns how many of the bytes the parser gets next: the rest of a head, or a part of one body.
 * @param mostOfBody maximum number of bytes of a body.
 */
export const nextPart = (bytes: Buffer, { bodyLeft, headTail }: Place, mostOfBody: number) => {
  if (bodyLeft > 0) {
    const most = bodyLeft === infinity ? chunkedPartBytes : bodyLeft;
    return { end: Math.min(bytes.length, most, mostOfBody), isBody: true, headTail: noBytes };
  }
  // the end of a head can be split between two reads
  const seen = headTail.length > 0 ? Buffer.concat([headTail, bytes]) : bytes;
  const at = seen.indexOf(headEnd);
  if (at >= 0)
    return { end: at + headEnd.length - headTail.length, isBody: false, headTail: noBytes };
  // a copy, which does not keep the complete read in memory
  const tail = Buffer.from(seen.subarray(1 - headEnd.length));
  return { end: bytes.length, isBody: false, headTail: tail };
};
