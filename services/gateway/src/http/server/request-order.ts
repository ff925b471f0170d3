import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timings } from '../../config.ts';

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
 * Bytes of a chunked body that the parser gets at once. Only the parser knows where such a body
 * ends, and as many bytes behind it are at most ten requests.
 */
const chunkedPartBytes = 256;
/**
 * Bytes of a body that are read ahead of the parser, so that a client that closes its connection
 * while its request waits is noticed; of one connection, and of all together.
 */
const [aheadMaxBytes, aheadOfAllMaxBytes] = [256 * 1024, 64 * 1024 * 1024];
let aheadOfAll = 0;

const headEnd = Buffer.from('\r\n\r\n');
export const noBytes = Buffer.alloc(0);
const infinity = Number.POSITIVE_INFINITY;

/** The requests of one connection, and its bytes that the HTTP parser has not got yet. */
class Feed {
  /** Responses that are not closed. */
  readonly open = new Set<ServerResponse>();
  last: ServerResponse | undefined;
  /** Whether the parser must get nothing more: it may belong to another connection already. */
  isOver = false;
  /** Bytes that the parser got for the body of the last request. */
  #bodyBytes = 0;
  /** The last bytes of a head that has not arrived completely. */
  #headTail: Buffer = noBytes;
  #unparsed: Buffer = noBytes;
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
      const { length } = this.#unparsed;
      this.#setUnparsed(length > 0 ? Buffer.concat([this.#unparsed, bytes]) : bytes);
      this.#feedParser();
    });
    socket.once('close', () => this.#setUnparsed(noBytes));
  }

  begin(response: ServerResponse): void {
    this.open.add(response);
    this.last = response;
    this.#bodyBytes = 0;
  }

  /** Gives the parser what it may get now. */
  goOn(): void {
    if (this.#unparsed.length === 0) return;
    this.#feedParser();
    if (this.#unparsed.length === 0) this.#socket.resume();
  }

  #setUnparsed(bytes: Buffer): void {
    aheadOfAll += bytes.length - this.#unparsed.length;
    this.#unparsed = bytes;
  }

  /** Gives the parser what it may get, and pauses the connection if too much is left. */
  #feedParser(): void {
    for (let left = iterationBytes; this.#unparsed.length > 0; ) {
      if (this.isOver || this.#socket.destroyed) {
        this.#setUnparsed(noBytes);
        return;
      }
      const bytes = this.#unparsed;
      const place = { bodyLeft: this.#bodyLeft, headTail: this.#headTail };
      const part = nextPart(bytes, place, left);
      const end = Math.min(part.end, this.#admitted());
      if (end <= 0) break;
      this.#setUnparsed(end === bytes.length ? noBytes : bytes.subarray(end));
      this.#headTail = part.headTail;
      this.#bodyBytes += end;
      this.#parse(bytes.subarray(0, end));
      if (part.isBody) left -= end;
      if (left <= 0 && this.#unparsed.length > 0) {
        setImmediate(() => this.goOn()); // other connections run before the next part
        break;
      }
    }
    const isAhead = this.#isInBody && aheadOfAll <= aheadOfAllMaxBytes;
    if (this.#unparsed.length > (isAhead ? aheadMaxBytes : 0)) this.#socket.pause();
  }

  get #isInBody(): boolean {
    return this.last !== undefined && !this.last.req.complete;
  }

  /** The bytes that are left of the body in which the parser is; 0 if it is in none. */
  get #bodyLeft(): number {
    return this.#isInBody ? Math.max(1, lengthOf(this.last!.req) - this.#bodyBytes) : 0;
  }

  /**
   * Returns how many bytes the parser may get: any number for a new request or a body that is read,
   * none while a complete request is under way. Closes the connection of an answered request whose
   * body is too large.
   */
  #admitted(): number {
    if (this.open.size > 1) return 0;
    for (const { req } of this.open) {
      if (req.complete) return 0;
      return req.readableFlowing ? infinity : unreadMaxBytes - this.#bodyBytes;
    }
    if (!this.#isInBody) return infinity;
    const isChunked = lengthOf(this.last!.req) === infinity;
    if (this.#bodyBytes <= (isChunked ? chunkedDrainMaxBytes : drainMaxBytes)) return infinity;
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
export const orderRequests = (server: Server, { lateBodyMs }: Pick<Timings, 'lateBodyMs'>) => {
  const feeds = new WeakMap<Socket, Feed>();
  server.on('connection', (socket) => feeds.set(socket, new Feed(socket)));
  return {
    /** Returns the handler, which notes each request until its response is closed. */
    noted:
      (handler: RequestListener): RequestListener =>
      (request, response) => {
        const feed = feeds.get(request.socket)!;
        feed.begin(response);
        if (lengthOf(request) > 0) request.on('resume', () => feed.goOn());
        response.on('close', () => {
          feed.open.delete(response);
          if (!request.complete) closeUnlessComplete(request, lateBodyMs);
          feed.goOn();
        });
        handler(request, response);
      },
    /** Returns the requests of a connection. */
    of: (socket: Socket): Feed | undefined => feeds.get(socket),
  };
};

export type RequestOrder = ReturnType<typeof orderRequests>;

/** Returns the length of a request's body; Infinity if it is chunked. */
const lengthOf = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : infinity;

/**
 * Closes the connection after `lateBodyMs` unless the body of its answered request is complete by
 * then. An immediate close could take the response from a client that is still sending.
 */
const closeUnlessComplete = (request: IncomingMessage, lateBodyMs: number): void => {
  const timer = setTimeout(() => {
    if (!request.complete) request.socket.destroy();
  }, lateBodyMs);
  const stop = () => clearTimeout(timer);
  request.once('end', stop).once('close', stop); // its body or its connection ends
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
