import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, answersIn, faultOf, Malformed } from '../hostile/answers.ts';
import { type Chance, chanceOf } from '../hostile/chance.ts';
import { goodRequest, type Known, routes } from '../hostile/good-requests.ts';
import { mutated, scrambled } from '../hostile/mutations.ts';
import { bytesOf, jsonIn, type RawRequest } from '../hostile/request.ts';
import { send } from '../hostile/wire.ts';
import { inLanes } from '../load.ts';
import { type Mesh, startMesh } from '../mesh.ts';
import { orderBody, partner } from '../partner.ts';
import { everyOrder } from '../proof.ts';

/** Any failure can be had again: HOSTILE_SEED=… in the environment. */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 2 ** 31);
const requests = Number(process.env.HOSTILE_REQUESTS ?? 10_000);
const warmUp = 3000;
const lanes = 48;
const growthMaxBytes = 50 * 1024 * 1024;

let mesh: Mesh;
let known: Known;
let port: number;
beforeAll(async () => {
  mesh = await startMesh({
    env: {
      // pools that stay small and give back, so that what grows is what is held
      NODE_OPTIONS: '--max-semi-space-size=4 --max-old-space-size=128',
      MALLOC_ARENA_MAX: '1',
      MALLOC_MMAP_THRESHOLD_: '65536',
      MALLOC_TRIM_THRESHOLD_: '65536',
      GATEWAY_READS_PER_MINUTE: '1000000',
      GATEWAY_WRITES_PER_MINUTE: '1000000',
      GATEWAY_FAILED_AUTH_PER_MINUTE: '1000000',
    },
  });
  const { post } = partner(mesh);
  const order = await post('/orders', orderBody());
  const endpoint = await post('/webhooks', { url: 'https://127.0.0.1:9/hook' });
  known = {
    key: mesh.file().organizations[0]!.keys.all,
    orderId: order.body.id,
    endpointId: endpoint.body.id,
  };
  port = Number(new URL(mesh.file().gateways[0]!).port);
}, 120_000);
afterAll(async () => {
  await mesh?.stop();
  mesh?.forget();
});

/** Asked for more often than the others: what they take is looked for in the store. */
const making = routes.filter(({ name }) => name === 'createOrder' || name === 'createLocation');

/** Texts of what was answered with 201, by id, and of what had been asked for. */
type Accepted = Map<string, { answered: object; asked: unknown }>;

const pieces = (bytes: Buffer, chance: Chance): Buffer[] => {
  if (!chance.oneIn(4)) return [bytes];
  const at = chance.below(bytes.length);
  return [bytes.subarray(0, at), bytes.subarray(at)];
};

/** @returns what is wrong with the answer to request `n`, or undefined. */
const attack = async (n: number, accepted: Accepted): Promise<string | undefined> => {
  const chance = chanceOf(seed + n);
  const good = () => goodRequest(chance.of(chance.oneIn(2) ? routes : making), known, seed + n);
  const sent: RawRequest = chance.oneIn(3) ? good() : mutated(good(), chance);
  const way = chance.of(['whole', 'whole', 'scrambled', 'pipelined', 'cut'] as const);
  let bytes = bytesOf(sent);
  if (way === 'scrambled') bytes = scrambled(bytes, chance);
  if (way === 'pipelined') {
    const first = good();
    const headers = first.headers.filter(([name]) => name !== 'Connection');
    bytes = Buffer.concat([bytesOf({ ...first, headers }), bytes]);
  }
  if (way === 'cut') bytes = bytes.subarray(0, chance.below(bytes.length));
  const isHead = (at: number) =>
    way === 'pipelined'
      ? at === 1 && sent.method === 'HEAD'
      : `${bytes.subarray(0, 5)}` === 'HEAD ';
  const heard = await send(port, pieces(bytes, chance), { cut: way === 'cut' });
  const tell = (what: string) =>
    `request ${n}, ${way}: ${what}\n${bytes.toString('latin1').slice(0, 600)}\n-> ${heard.bytes.toString('latin1').slice(0, 600)}`;
  if (way === 'cut') return undefined;
  if (!heard.ended) return tell('the connection was left open');
  try {
    const answers = answersIn(heard.bytes, isHead);
    if (heard.hungUp && answers.at(-1)?.endsAtClose) answers.pop(); // we may have cut it off
    for (const answer of answers) {
      const fault = faultOf(answer);
      if (fault) return tell(fault);
    }
    if (way === 'whole') remember(answers, sent, accepted);
    return undefined;
  } catch (error) {
    if (error instanceof Malformed) return heard.hungUp ? undefined : tell(error.message);
    throw error;
  }
};

const remember = (answers: readonly Answer[], sent: RawRequest, accepted: Accepted): void => {
  const made = answers.filter(({ status }) => status === 201);
  for (const { body } of made) {
    const answered = JSON.parse(body);
    accepted.set(answered.id, { answered, asked: jsonIn(sent) });
  }
};

// biome-ignore lint/suspicious/noExplicitAny: whatever an answer holds
type Texts = any;
/** The texts that a partner gave, in one form for what he asked, was answered and reads later. */
const orderTexts = (order: Texts) => ({
  external_id: order.external_id ?? null,
  notes: order.notes ?? null,
  pickup_detail: order.pickup_detail ?? null,
  dropoff_detail: order.dropoff_detail ?? null,
  goods: order.items?.map((item: { goods_type: string }) => item.goods_type) ?? [],
});
const locationTexts = ({ label, street, zip, city, country = 'DE' }: Texts) => ({
  label,
  street,
  zip,
  city,
  country,
});

const residentBytes = (pid: number): number => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
};
const canMeasure = process.platform === 'linux';

test(`${requests} mutated requests: no 5xx, no stack, no leak, and nothing changed on its way`, async () => {
  process.stdout.write(`HOSTILE_SEED=${seed}\n`);
  const { pid } = mesh.file().services.find(({ name }) => name === 'gateway')!;
  const accepted: Accepted = new Map();
  const faults: string[] = [];
  const run = (from: number, count: number) =>
    inLanes(count, lanes, async (n) => {
      const fault = await attack(from + n, accepted);
      if (fault) faults.push(fault);
    });

  await run(0, Math.min(warmUp, requests));
  const before = canMeasure ? residentBytes(pid) : 0;
  await run(warmUp, Math.max(0, requests - warmUp));
  const after = canMeasure ? residentBytes(pid) : 0;
  process.stdout.write(
    `the gateway holds ${((after - before) / 2 ** 20).toFixed(1)} MiB more; ${accepted.size} accepted\n`,
  );

  expect(faults.slice(0, 5)).toEqual([]);
  expect(mesh.file().services.find(({ name }) => name === 'gateway')?.pid).toBe(pid);
  expect(after - before).toBeLessThan(growthMaxBytes);
  expect((await partner(mesh).get('/ping')).status).toBe(200);

  const orders = new Map((await everyOrder(mesh)).map((order) => [order.id, order]));
  const listed: { id: string }[] = (await partner(mesh).get('/locations')).body;
  const locations = new Map(listed.map((location) => [location.id, location]));
  const isTaken = { orders: 0, locations: 0 };
  for (const [id, { answered, asked }] of accepted) {
    if ('url' in answered) continue;
    const [kind, texts, kept] =
      'status' in answered
        ? (['orders', orderTexts, orders.get(id)] as const)
        : (['locations', locationTexts, locations.get(id)] as const);
    isTaken[kind]++;
    expect(texts(kept)).toEqual(texts(answered));
    if (asked !== undefined) expect(texts(kept)).toMatchObject(texts(asked));
  }
  expect(Math.min(isTaken.orders, isTaken.locations)).toBeGreaterThan(requests / 200);
}, 180_000);
