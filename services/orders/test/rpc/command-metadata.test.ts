import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { anOrder, bodyOf, type OrdersUnderTest, startOrdersService } from '../orders-service.ts';

let under: OrdersUnderTest;
let circumstances: { orderId: string };
beforeAll(async () => {
  under = await startOrdersService();
  circumstances = { orderId: bodyOf(await under.orders.createOrder(anOrder())).id };
});
afterAll(() => under.stop());

test.each(['2026-11-31T00:00:00Z', '2026-01-15T24:00:00Z', '0000-01-01T00:00:00Z', '2026-01-15'])(
  'a command at %s, a time that does not exist, is rejected',
  async (at) => {
    const assigning = under.commands.assignOrder({
      circumstances: { ...circumstances, at },
      transportOrganization: 'T',
    });
    await expect(assigning).rejects.toMatchObject({ kind: 'VALIDATION' });
  },
);

test.each(['a\nb', 'a\u001b[2Jb', 'a\u009b31mb', 'a\u202eb', ''])(
  'the name %j of a transport organization, a driver or a seal is rejected',
  async (name) => {
    const { commands } = under;
    for (const call of [
      commands.assignOrder({ circumstances, transportOrganization: name }),
      commands.assignDriver({ circumstances, driver: name }),
      commands.sealOrder({ circumstances, sealIds: ['S-1', name] }),
    ])
      await expect(call).rejects.toMatchObject({ kind: 'VALIDATION' });
  },
);

test('names of every script and an ordinary time are stored', async () => {
  const { order } = await under.commands.assignOrder({
    circumstances: { ...circumstances, at: new Date().toISOString() },
    transportOrganization: 'Kurier Größe & مستشفى 👩‍⚕️',
  });
  expect(order?.transportOrganization).toBe('Kurier Größe & مستشفى 👩‍⚕️');
});
