// Runs in a pod of the cluster, as a partner: writes and reads until it is told to stop, and prints
// what came of it. With RETRY an unanswered request is made again under the same key.
const base = 'http://gateway:8080/api/partner/v1';
const { KEY, RETRY, LANES = '4' } = process.env;
const [created, failed] = [[], []];
let [requests, stopping] = [0, false];
process.on('SIGTERM', () => {
  stopping = true;
});

const order = (name) => ({
  external_id: name,
  pickup: { address: { street: 'Charitéplatz 1', zip: '10117', city: 'Berlin' } },
  dropoff: { address_text: 'Marienplatz 1, 80331 München' },
  pickup_window_start: '2030-01-01T08:00:00Z',
  items: [{ goods_type: 'blood' }],
});

const once = async (method, path, expected, name) => {
  requests++;
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${KEY}`,
      ...(name && { 'content-type': 'application/json', 'idempotency-key': name }),
    },
    ...(name && { body: JSON.stringify(order(name)) }),
    signal: AbortSignal.timeout(15_000),
  });
  const text = await response.text();
  if (response.status !== expected) throw new Error(`${response.status} ${text.slice(0, 200)}`);
  return JSON.parse(text);
};

const call = async (...what) => {
  for (let tries = 1; ; tries++) {
    try {
      return await once(...what);
    } catch (error) {
      if (RETRY && tries < 300) {
        await new Promise((resolve) => setTimeout(resolve, 100));
        continue;
      }
      failed.push(`${what[0]} ${what[1]}: ${error.message} ${error.cause?.code ?? ''}`);
      return null;
    }
  }
};

const lane = async (lane) => {
  for (let n = 0; !stopping; n++) {
    const name = `${process.env.RUN}-${lane}-${n}`;
    const made = await call('POST', '/orders', 201, name);
    if (!made) continue;
    created.push(made.id);
    for (let reads = 0; reads < 3; reads++) await call('GET', `/orders/${made.id}`, 200);
  }
};

await Promise.all(Array.from({ length: Number(LANES) }, (_, n) => lane(n)));
// a pipe takes 64 KiB at once: what an earlier exit has not written is lost
process.stdout.write(`${JSON.stringify({ requests, created, failed })}\n`, () => process.exit(0));
