import { EventEmitter } from 'node:events';
import type { TLSSocket } from 'node:tls';
import { expect, test } from '@jest/globals';
import { tlsSessions } from '../../src/egress/tls.ts';

const receiver = 'partner.test:443';
const minute = 60_000;

/** A socket after its handshake. */
const socketOf = (protocol: string, isReused: boolean) =>
  Object.assign(new EventEmitter(), {
    getProtocol: () => protocol,
    getSession: () => Buffer.from('a session'),
    isSessionReused: () => isReused,
  });

test.each(['TLSv1.2', 'TLSv1.3'])(
  'with %s, resumption does not extend the hour after a certificate was verified',
  (protocol) => {
    let now = 0;
    const sessions = tlsSessions(() => now);
    const connect = (isReused: boolean) => {
      const socket = socketOf(protocol, isReused);
      sessions.keep(receiver, socket as unknown as TLSSocket, sessions.of(receiver));
      socket.emit('session', Buffer.from('another session'));
    };
    connect(false);
    now = 40 * minute;
    connect(true);
    now = 59 * minute;
    expect(sessions.of(receiver)).toBeDefined();
    now = 60 * minute;
    expect(sessions.of(receiver)).toBeUndefined();
  },
);

test('a full handshake begins a new hour, also if an older session was offered', () => {
  let now = 0;
  const sessions = tlsSessions(() => now);
  const connect = () => {
    const socket = socketOf('TLSv1.2', false) as unknown as TLSSocket;
    sessions.keep(receiver, socket, sessions.of(receiver));
  };
  connect();
  now = 40 * minute;
  connect();
  now = 99 * minute;
  expect(sessions.of(receiver)).toBeDefined();
});
