/** Takes the due steps of runs, and is killed before or after the command that KILLED_AT names. */
import { openDatabase } from '@pto/database';
import { createTelemetry } from '@pto/telemetry';
import { tlsOf } from '@pto/testing';
import { type Orders, openOrders } from '../src/moves/orders.ts';
import { phones } from '../src/moves/phone.ts';
import { takeDueSteps } from '../src/runs/work.ts';

const { DATABASE_URL: url = '', ORDERS_URL: ordersUrl = '', KILLED_AT = '' } = process.env;
const [moment, rpc] = KILLED_AT.split(' ');
const telemetry = createTelemetry({ service: 'test', write: () => {} });
const limits = { poolMax: 2, statementTimeoutMs: 10_000, lockTimeoutMs: 10_000 };
const db = await openDatabase({ url, ...limits, telemetry });
const real = openOrders({ urls: [ordersUrl], server: 'orders', tls: tlsOf('courier') });
const command = real[rpc as 'reportIncident'];
const killed: Orders['reportIncident'] = async (...request) => {
  if (moment === 'after') await command(...request);
  process.kill(process.pid, 'SIGKILL');
  return new Promise(() => {});
};
await takeDueSteps(db, { orders: { ...real, [rpc!]: killed }, phoneOf: phones(Buffer.alloc(32)) });
