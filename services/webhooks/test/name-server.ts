import { createSocket } from 'node:dgram';
import { type AddressInfo, createServer } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { DnsAnswer } from './egress/egress-attacks.ts';

const types = { A: 1, CNAME: 5, AAAA: 28 };
const rcodes = { NOERROR: 0, SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };
const udpMax = 1200;

/**
 * A name server on loopback that gives one answer to every question (RFC 1035, A and AAAA), over
 * TCP where it is long. Placeholders several, the n-th A question and the n-th AAAA question have the n-th.
 */
export const startNameServer = async (answers: readonly DnsAnswer[]) => {
  const asked = { [types.A]: 0, [types.AAAA]: 0 } as Record<number, number>;
  const answerTo = (query: Buffer, { counts }: { counts: boolean }): Buffer | null => {
    const end = query.indexOf(0, 12) + 5;
    const type = query.readUInt16BE(end - 4);
    const n = asked[type] ?? 0;
    const answer = answers[Math.min(n, answers.length - 1)]!;
    if (counts) asked[type] = n + 1;
    if (answer.rcode === 'silence') return null;
    const addresses = (type === types.A ? answer.a : answer.aaaa) ?? [];
    const records = [
      ...(answer.cname ? [record(types.CNAME, [0xc0, 12], nameOf(answer.cname))] : []),
      ...addresses.map((address) =>
        record(
          type,
          answer.cname ? nameOf(answer.cname) : [0xc0, 12],
          ipaddr.parse(address).toByteArray(),
        ),
      ),
    ];
    const header = Buffer.from(query.subarray(0, 12));
    header.writeUInt16BE(0x8580 | rcodes[answer.rcode ?? 'NOERROR'], 2);
    header.writeUInt16BE(records.length, 6);
    header.writeUInt32BE(0, 8);
    return Buffer.concat([header, query.subarray(12, end), ...records]);
  };

  const tcp = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => {
      const answer = answerTo(data.subarray(2), { counts: true });
      if (answer) socket.end(Buffer.concat([uint16(answer.length), answer]));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const { port } = tcp.address() as AddressInfo;
  const udp = createSocket('udp4', (query, { address, port: from }) => {
    const whole = answerTo(query, { counts: false });
    const isShort = whole === null || whole.length <= udpMax;
    if (isShort) answerTo(query, { counts: true });
    if (whole) udp.send(isShort ? whole : truncated(query), from, address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    server: `127.0.0.1:${port}`,
    close: () => {
      tcp.close();
      udp.close();
    },
  };
};

const uint16 = (n: number): Buffer => Buffer.from([n >> 8, n & 255]);

const nameOf = (name: string): number[] => [
  ...name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]),
  0,
];

const record = (type: number, name: readonly number[], data: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from(name),
    uint16(type),
    uint16(1),
    Buffer.alloc(4), // a TTL of 0
    uint16(data.length),
    Buffer.from(data),
  ]);

/** "Ask me again over TCP." */
const truncated = (query: Buffer): Buffer => {
  const answer = Buffer.from(query.subarray(0, query.indexOf(0, 12) + 5));
  answer.writeUInt16BE(0x8780, 2);
  answer.writeUInt32BE(0, 6);
  answer.writeUInt16BE(0, 10);
  return answer;
};
