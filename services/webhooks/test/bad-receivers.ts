import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

/** A partner's server that behaves badly. It answers attempts whose whole time is 700 ms. */
export interface BadReceiver {
  readonly name: string;
  /** What becomes of an attempt: its fault, or the status that was believed; or one of several. */
  readonly ends: string | number | readonly (string | number)[];
  /** Talks over TLS, unless it talks before. */
  readonly before?: 'tls';
  readonly talk: (socket: Socket) => void;
}

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;
const block = (text: string) => Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));

const every = (ms: number, socket: Socket, text: string) => {
  const timer = setInterval(() => socket.write(text), ms);
  socket.on('close', () => clearInterval(timer));
};

/** As fast as the connection takes it, without end. */
const pour = (socket: Socket, bytes: Buffer) => {
  const write = () => {
    while (!socket.destroyed && socket.write(bytes));
  };
  socket.on('drain', write);
  write();
};

/** Behind each request: the answer. */
const answers = (answer: string | Buffer, then: (socket: Socket) => void = () => {}) => {
  return (socket: Socket) => {
    socket.on('data', () => {
      socket.write(answer);
      then(socket);
    });
  };
};

const ends = (socket: Socket) => socket.end();
/** Under TLS too, by the connection that carries it. */
const resets = (socket: Socket & { _parent?: Socket }) => {
  (socket._parent ?? socket).resetAndDestroy();
};
const pours = (text: string | Buffer) => (socket: Socket) =>
  pour(socket, typeof text === 'string' ? block(text) : text);
const drips = (text: string) => (socket: Socket) => every(50, socket, text);

/** 10 MB of zeros in 10 KB, again and again. */
const bomb = gzipSync(Buffer.alloc(10_000_000));
const huge = 'content-length: 10000000000\r\n\r\n';

export const badReceivers: readonly BadReceiver[] = [
  { name: 'never begins TLS', ends: 'connect_timeout', before: 'tls', talk: () => {} },
  {
    name: 'drips its TLS handshake',
    ends: 'connect_timeout',
    before: 'tls',
    // the head of a record of 16 KB, and then its bytes
    talk: (s) => {
      s.write(Buffer.from([0x16, 3, 3, 0x3f, 0xff, 2, 0, 0x3f, 0xfb]));
      every(50, s, '\x03');
    },
  },
  { name: 'resets at once', ends: ['tls', 'connection_failed'], before: 'tls', talk: resets },
  {
    name: 'resets within TLS',
    ends: 'tls',
    before: 'tls',
    talk: (s) => s.once('data', () => resets(s)),
  },
  {
    name: 'hangs up within TLS',
    ends: 'tls',
    before: 'tls',
    talk: (s) => s.once('data', () => s.end()),
  },
  {
    name: 'speaks HTTP in the clear',
    ends: 'tls',
    before: 'tls',
    talk: answers(`${ok}\r\n`, ends),
  },
  {
    name: 'pours noise into TLS',
    ends: 'tls',
    before: 'tls',
    talk: (s) => pour(s, block('noise')),
  },
  { name: 'says nothing', ends: 'timeout', talk: () => {} },
  { name: 'reads nothing', ends: 'timeout', talk: (s) => s.pause() },
  { name: 'resets behind TLS', ends: 'connection_lost', talk: resets },
  { name: 'hangs up behind TLS', ends: 'connection_lost', talk: ends },
  { name: 'resets behind the request', ends: 'connection_lost', talk: answers('', resets) },
  { name: 'hangs up behind the request', ends: 'connection_lost', talk: answers('', ends) },
  { name: 'hangs up within its head', ends: 'connection_lost', talk: answers(ok, ends) },
  {
    name: 'resets within its head',
    ends: 'connection_lost',
    talk: answers(ok, (s) => setImmediate(resets, s)),
  },
  {
    name: 'hangs up within its body',
    ends: 'connection_lost',
    talk: answers(`${ok}${huge}short`, ends),
  },
  {
    name: 'hangs up within a chunk',
    ends: 'connection_lost',
    talk: answers(`${chunked}ff\r\nshort`, ends),
  },
  { name: 'drips its status line', ends: 'timeout', talk: answers('HTTP/1.1 200 ', drips('O')) },
  { name: 'drips its headers', ends: 'timeout', talk: answers(ok, drips('x: y\r\n')) },
  { name: 'drips its body', ends: 'timeout', talk: answers(`${ok}${huge}`, drips('.')) },
  { name: 'drips chunks', ends: 'timeout', talk: answers(chunked, drips('1\r\n.\r\n')) },
  {
    name: 'drips early hints',
    ends: 'protocol',
    talk: answers('', (s) => every(20, s, 'HTTP/1.1 103 Hint\r\n\r\n')),
  },
  {
    name: 'pours early hints',
    ends: 'protocol',
    talk: answers('', pours('HTTP/1.1 103 Hint\r\n\r\n')),
  },
  {
    name: 'pours "continue"',
    ends: 'connection_lost',
    talk: answers('', pours('HTTP/1.1 100 Go on\r\n\r\n')),
  },
  { name: 'pours headers', ends: 'protocol', talk: answers(ok, pours('x: y\r\n')) },
  { name: 'pours one header', ends: 'protocol', talk: answers(`${ok}x: `, pours('y')) },
  { name: 'pours its status line', ends: 'protocol', talk: answers('HTTP/1.1 200 ', pours('O')) },
  { name: 'pours blank lines', ends: 'protocol', talk: answers('', pours('\r\n')) },
  {
    name: "pours a chunk's extension",
    ends: 'protocol',
    talk: answers(`${chunked}1;x=`, pours('y')),
  },
  { name: 'pours trailers', ends: 'protocol', talk: answers(`${chunked}0\r\n`, pours('x: y\r\n')) },
  { name: 'pours 10 GB', ends: 200, talk: answers(`${ok}${huge}`, pours('.')) },
  { name: 'pours a body without a length', ends: 200, talk: answers(`${ok}\r\n`, pours('.')) },
  { name: 'pours chunks of a byte', ends: 'protocol', talk: answers(chunked, pours('1\r\n.\r\n')) },
  {
    name: 'pours a gzip bomb',
    ends: 200,
    talk: answers(`${ok}content-encoding: gzip\r\n${huge}`, pours(bomb)),
  },
  {
    name: 'speaks another protocol',
    ends: 'protocol',
    talk: (s) => s.end('220 smtp.example.com ESMTP\r\n'),
  },
  { name: 'speaks HTTP/0.9', ends: 'protocol', talk: answers('<html>hello</html>\n', ends) },
  {
    name: 'speaks HTTP/2',
    ends: 'protocol',
    talk: answers(Buffer.from('00000604000000000000010000ffff', 'hex')),
  },
  { name: 'speaks HTTP/9.9', ends: 'protocol', talk: answers('HTTP/9.9 200 OK\r\n\r\n') },
  {
    name: 'switches protocols',
    ends: 'connection_lost',
    talk: answers('HTTP/1.1 101 Switch\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  },
  { name: 'has no status', ends: 'protocol', talk: answers('HTTP/1.1 abc OK\r\n\r\n') },
  {
    name: 'has a status of four digits',
    ends: 'protocol',
    talk: answers('HTTP/1.1 2000 OK\r\n\r\n'),
  },
  {
    name: 'has two lengths',
    ends: 'protocol',
    talk: answers(`${ok}content-length: 1\r\ncontent-length: 2\r\n\r\nab`),
  },
  {
    name: 'has a negative length',
    ends: 'protocol',
    talk: answers(`${ok}content-length: -1\r\n\r\n`),
  },
  {
    name: 'has a length beyond all numbers',
    ends: 'protocol',
    talk: answers(`${ok}content-length: ${'9'.repeat(40)}\r\n\r\n`),
  },
  {
    name: 'has a chunk beyond all numbers',
    ends: 'protocol',
    talk: answers(`${chunked}${'f'.repeat(40)}\r\n`),
  },
  {
    name: 'sends more than its length',
    ends: 200,
    talk: answers(`${ok}content-length: 1\r\n\r\nabcdef`),
  },
  {
    name: 'sends 204 with a body',
    ends: 204,
    talk: answers('HTTP/1.1 204 No\r\ncontent-length: 3\r\n\r\nabc'),
  },
  {
    name: 'answers twice',
    ends: 200,
    talk: answers(`${ok}content-length: 0\r\n\r\nHTTP/1.1 500 No\r\n\r\n`),
  },
  {
    name: 'hangs up behind each answer',
    // the next request may cross its farewell: it is not answered, and made again in a minute
    ends: [200, 'connection_lost'],
    talk: answers(`${ok}content-length: 0\r\n\r\n`, ends),
  },
  {
    name: 'resets soon behind each answer',
    // here too
    ends: [200, 'connection_lost'],
    talk: answers(`${ok}content-length: 0\r\n\r\n`, (s) => setImmediate(resets, s)),
  },
];
