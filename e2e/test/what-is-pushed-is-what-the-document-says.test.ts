import { expect, test } from '@jest/globals';
import { until } from '@pto/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { liveOrder } from '../load.ts';
import { startMesh } from '../mesh.ts';
import { partner } from '../partner.ts';
import { startReceiver } from '../receiver.ts';

interface Document {
  readonly components: object;
  readonly webhooks: Readonly<
    Record<
      string,
      { post: { requestBody: { content: { 'application/json': { schema: object } } } } }
    >
  >;
}

test('the events of a whole life, and the sample, have the form of `webhooks`', async () => {
  const mesh = await startMesh();
  try {
    const receiver = await startReceiver(mesh);
    const { post } = partner(mesh);
    const { body: endpoint } = await post('/webhooks', { url: receiver.url });
    await post(`/webhooks/${endpoint.id}/test`);
    await liveOrder(mesh, 'documented');
    const seen = () => new Set(receiver.received.map(({ event }) => event));
    await until(() => seen().has('order.closed') && seen().has('order.test'), {
      deadlineMs: 30_000,
      what: 'the last event',
    });
    await receiver.stop();

    const answer = await fetch(`${mesh.file().gateways[0]}/openapi.json`);
    const { components, webhooks } = (await answer.json()) as Document;
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    ajv.addSchema({ components }, 'openapi');
    for (const { event, body } of receiver.received) {
      const { schema } = webhooks[event]!.post.requestBody.content['application/json'];
      const local = JSON.stringify(schema).replaceAll('"#/', '"openapi#/');
      const validate = ajv.compile(JSON.parse(local));
      validate(body);
      expect([event, validate.errors]).toEqual([event, null]);
    }
    expect(seen().size).toBeGreaterThanOrEqual(10);
  } finally {
    await mesh.stop();
    mesh.forget();
  }
}, 120_000);
