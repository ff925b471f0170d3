import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { AllowedRange } from './policy.ts';

const shapes = [
  /^\[(?<address>[0-9a-f:.]+)(?:\/(?<bits>\d{1,3}))?\](?::(?<port>\d{1,5}))?$/i,
  /^(?<address>[\d.]+)(?:\/(?<bits>\d{1,2}))?(?::(?<port>\d{1,5}))?$/,
  /^(?<address>[0-9a-f:]+:[0-9a-f:.]*)(?:\/(?<bits>\d{1,3})(?::(?<port>\d{1,5}))?)?$/i,
];

/**
 * Parses one entry of WEBHOOKS_EGRESS_ALLOW: `127.0.0.0/8`, `10.1.2.3:8443`, `::1/128` or
 * `[::1/128]:8443`.
 * @throws Error with the expected form.
 */
export const parseAllowedRange = (text: string): AllowedRange => {
  const found = shapes.map((shape) => shape.exec(text)?.groups).find((groups) => groups);
  const { address = '', bits, port } = found ?? {};
  const family = isIP(address);
  const bitsMost = family === 4 ? 32 : 128;
  const prefix = bits === undefined ? bitsMost : Number(bits);
  const portNumber = port === undefined ? undefined : Number(port);
  const portHolds = portNumber === undefined || (portNumber >= 1 && portNumber <= 65_535);
  if (family === 0 || prefix > bitsMost || !portHolds)
    throw new Error('expected CIDRs such as 127.0.0.0/8, 10.1.2.3:8443, ::1/128 or [::1/128]:8443');
  return { range: [ipaddr.parse(address), prefix], port: portNumber };
};
