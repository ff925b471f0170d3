import { connect } from 'node:net';

/**
 * Sends bytes as they are and gives back all that comes until the server closes, or until it has
 * been silent for `quietMs` after having said something.
 */
export const raw = async (...request: Parameters<typeof rawBytes>): Promise<string> =>
  (await rawBytes(...request)).toString('latin1');

/** The same, as bytes. */
export const rawBytes = (
  port: number,
  parts: readonly (string | Buffer)[],
  { quietMs = 300, deadlineMs = 8000, pauseMs = 0 } = {},
): Promise<Buffer> =>
  new Promise((resolve) => {
    const heard: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    const socket = connect(port, '127.0.0.1');
    const done = () => {
      clearTimeout(quiet);
      clearTimeout(late);
      clearInterval(writing);
      socket.destroy();
      resolve(Buffer.concat(heard));
    };
    const late = setTimeout(done, deadlineMs);
    const left = [...parts];
    const writeOne = () => {
      const part = left.shift();
      if (part !== undefined) socket.write(typeof part === 'string' ? latin1(part) : part);
    };
    let writing: NodeJS.Timeout | undefined;
    socket.on('connect', () => {
      if (pauseMs > 0) writing = setInterval(writeOne, pauseMs);
      else while (left.length > 0) writeOne();
    });
    socket
      .on('data', (bytes) => {
        heard.push(bytes);
        clearTimeout(quiet);
        quiet = setTimeout(done, quietMs);
      })
      .on('error', () => {})
      .on('close', done);
  });

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** The status codes of every answer in what was heard. */
export const statusesIn = (heard: string): number[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
