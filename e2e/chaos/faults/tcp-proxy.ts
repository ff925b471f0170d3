/** Carries TCP connections to one address, and can cut or slow all of them. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export const startProxy = async (target: { host: string; port: number }) => {
  const sockets = new Set<Socket>();
  const state = { cut: false, delayMs: 0 };
  const carry = (from: Socket, to: Socket): void => {
    let last = Promise.resolve();
    from.on('data', (chunk) => {
      const due = state.delayMs;
      if (due === 0 && from.readableFlowing) {
        last = last.then(() => void to.write(chunk));
        return;
      }
      const later = new Promise<void>((resolve) => setTimeout(resolve, due));
      last = last.then(() => later).then(() => void to.write(chunk));
    });
    from.on('end', () => void last.then(() => to.end()));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      if (from.errored) to.destroy();
    });
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (state.cut) return void near.destroy();
    const far = connect({ ...target, allowHalfOpen: true });
    for (const socket of [near, far]) sockets.add(socket.setNoDelay(true));
    carry(near, far);
    carry(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const dropAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    /** Ends every connection and accepts none until `restore`. */
    cut: () => {
      state.cut = true;
      dropAll();
    },
    /** Holds back every chunk of bytes for so long, from now on. */
    slow: (delayMs: number) => {
      state.delayMs = delayMs;
    },
    restore: () => {
      state.cut = false;
      state.delayMs = 0;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        dropAll();
      }),
  };
};

export type TcpProxy = Awaited<ReturnType<typeof startProxy>>;
