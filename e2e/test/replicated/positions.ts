/** The position of a driver under way (decision 87), from the phone through Redis to desk and ward. */
import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { deviceOpening } from '@pto/custody-verifier';
import { DriverSessionService } from '@pto/proto/operators/v1/drivers';
import { PositionService } from '@pto/proto/operators/v1/positions';
import { kilometers } from '@pto/representation';
import { operatorClient } from '@pto/rpc';
import { aPhone, stores, until } from '@pto/testing';
import { Redis } from 'ioredis';
import { asSuperuser } from '../../as-superuser.ts';
import type { LocalStack } from '../../local-stack.ts';
import { operatorClients } from '../../operator.ts';
import { orderBody, partner } from '../../partner.ts';
import { filesWithBytes, redisKeysWith, tablesOfStackWith } from '../search-stores.ts';

/** A number of 6 decimals as a store may hold it: in digits, and as a double in both orders of bytes. */
const formsOf = (degrees: number) => {
  const big = Buffer.alloc(8);
  big.writeDoubleBE(degrees);
  const little = Buffer.from(big).reverse();
  const scaled = `${Math.round(degrees * 1e6)}`;
  const texts = [`${degrees}`, scaled, big.toString('hex'), little.toString('hex')];
  return { texts, bytes: [...texts.map((text) => Buffer.from(text)), big, little] };
};

export const positions = (stack: LocalStack): void => {
  const client = (credential: string | undefined) => {
    const { OPERATOR_URL: url, OPERATOR_CA_FILE: caFile } = stack.file().operator.env;
    const options = {
      url: `${url}/operators`,
      caFile: caFile!,
      credential: async () => credential,
    };
    return {
      sessions: operatorClient(DriverSessionService, options),
      positions: operatorClient(PositionService, options),
    };
  };

  /** An order of a driver with a phone whose session is open. */
  const underWay = async () => {
    const { carriers, drivers, orders } = operatorClients(stack);
    const { carrier } = await carriers.createCarrier({ name: `Carrier ${randomUUID()}` });
    const carrierId = carrier!.id;
    const { driver } = await carriers.createDriver({ carrierId, name: 'Kim', telephone: '1' });
    const driverId = driver!.id;
    const { id: orderId } = (await partner(stack).post('/orders', orderBody())).body;
    const circumstances = { orderId };
    await orders.assignOrder({ circumstances, carrierId });
    await orders.acceptOrder({ circumstances });
    await orders.assignDriver({ circumstances, driverId });
    const { url } = await drivers.createDriverLink({ driverId });
    const code = url.split('#')[1]!;
    const phone = await aPhone();
    const signature = await phone.sign(deviceOpening(code));
    const opening = { code, key: phone.key, signature };
    const { secret } = await client(undefined).sessions.openDriverSession(opening);
    return { orderId, driverId, phone: client(secret).positions };
  };

  /** Where the stack holds one of two numbers: tables, files, keys of Redis, and metrics. */
  const holdersOf = async (lat: number, lng: number): Promise<string[]> => {
    const [one, other] = [formsOf(lat), formsOf(lng)];
    // what PostgreSQL has in memory is in no file yet
    await asSuperuser(stack, 'orders', (sql) => sql.query('checkpoint'));
    const found = filesWithBytes(stack, [...one.bytes, ...other.bytes]);
    for (const text of [...one.texts, ...other.texts])
      found.push(...(await tablesOfStackWith(stack, text)), ...(await redisKeysWith(stack, text)));
    for (const { name, metricsUrl } of stack.file().services) {
      const metrics = await (await fetch(metricsUrl)).text();
      if ([...one.texts, ...other.texts].some((text) => metrics.includes(text))) found.push(name);
    }
    return [...new Set(found)];
  };

  (stores().redis === null ? test.skip : test)(
    'a position reaches desk and ward as a circle for 15 minutes, and no store has it',
    async () => {
      const redis = new Redis(stack.file().stores.redis!);
      try {
        const { orderId, driverId, phone } = await underWay();
        const link = await partner(stack).post(`/orders/${orderId}/links`, { side: 'pickup' });
        const ward = partner(stack, link.body.url.split('#')[1]);
        const desk = client(stack.file().operator.env.OPERATOR_TOKEN).positions;
        const shown = async () => [
          (await desk.listPositions({ orderIds: [orderId] })).circles[0] ?? null,
          (await ward.get('/order-link')).body.circle,
        ];
        expect(await shown()).toEqual([null, null]);

        const here = { lat: 52.516283, lng: 13.377709 };
        expect(await phone.reportPosition({ orderId, ...here, accuracy: 20 })).toMatchObject({
          ignored: '',
        });
        const [onDesk, onPage] = await shown();
        expect(onDesk).toMatchObject({ orderId, driverId });
        expect(onPage).toMatchObject({ lat: onDesk.lat, lng: onDesk.lng, radius_m: 1000 });
        expect(kilometers(onPage, here)).toBeLessThan(0.8);
        const key = `position:${orderId}`;
        const lastsS = await redis.ttl(key);
        expect(lastsS).toBeGreaterThan(840);
        expect(lastsS).toBeLessThanOrEqual(900);
        // a file of Redis would be a backup
        expect(await redis.config('GET', 'save')).toEqual(['save', '']);
        expect(await redis.config('GET', 'appendonly')).toEqual(['appendonly', 'no']);

        // only an entry has a position, which its recorder has stated
        const stated = { lat: 50.847193, lng: 6.091857 };
        await operatorClients(stack).orders.reportIncident({
          ...{ circumstances: { orderId, position: stated }, note: 'n' },
        });
        await until(
          async () => (await partner(stack).get(`/orders/${orderId}/events`)).body.length > 4,
          { what: 'the entry of the incident' },
        );
        const holders = await holdersOf(stated.lat, stated.lng);
        expect(holders).toContain('custody.entries');
        expect(holders.filter((name) => name.includes('/'))).not.toEqual([]);
        expect(await holdersOf(here.lat, here.lng)).toEqual([]);
        expect(await redisKeysWith(stack, `${onDesk.lng}`)).toEqual([key]);
        expect(await tablesOfStackWith(stack, `${onDesk.lng}`)).toEqual([]);

        // as it is after 15 minutes
        await redis.pexpire(key, 1);
        await until(async () => (await redis.exists(key)) === 0, { what: 'the end of the circle' });
        expect(await shown()).toEqual([null, null]);
      } finally {
        redis.disconnect();
      }
    },
    180_000,
  );
};
