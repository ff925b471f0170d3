import { connect } from 'node:net';

/** Silence after which a client says that it has nothing more to send. */
const quietMs = 250;
/** By then every connection must have ended: 10 s for a request, and the farewell. */
const endsWithinMs = 15_000;

export interface Heard {
  readonly bytes: Buffer;
  /** Whether the server had ended the connection in time. */
  readonly ended: boolean;
  /** Whether we had hung up before, and so may have cut an answer off. */
  readonly hungUp: boolean;
}

/**
 * Sends bytes as they are, in pieces, and listens until the server has ended the connection.
 * @param cut goes away without a word when everything is sent.
 */
export const send = (
  port: number,
  pieces: readonly Buffer[],
  { cut = false } = {},
): Promise<Heard> =>
  new Promise((resolve) => {
    const heard: Buffer[] = [];
    let hungUp = false;
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    const done = (ended: boolean) => {
      clearTimeout(quiet);
      clearTimeout(late);
      socket.destroy();
      resolve({ bytes: Buffer.concat(heard), ended, hungUp });
    };
    const late = setTimeout(() => done(false), endsWithinMs);
    let quiet: NodeJS.Timeout | undefined;
    const hush = () => {
      clearTimeout(quiet);
      quiet = setTimeout(
        () => {
          hungUp = true;
          socket.end();
        },
        heard.length > 0 ? 2 * quietMs : quietMs,
      );
    };
    const left = [...pieces];
    const write = () => {
      const piece = left.shift();
      if (piece === undefined) {
        if (cut) done(true);
        else hush();
        return;
      }
      if (socket.writable) socket.write(piece, () => setImmediate(write));
    };
    socket
      .on('connect', write)
      .on('data', (part) => {
        heard.push(part);
        if (left.length === 0) hush();
      })
      .on('error', () => {})
      .on('end', () => socket.end())
      .on('close', () => done(true));
  });
