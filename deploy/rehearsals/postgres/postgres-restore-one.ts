import assert from 'node:assert/strict';
import { partner } from '../../../e2e/partner.ts';
import { statusText } from '../stage/partners.ts';
import { allReceived } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { restoreAccessEarlier } from './restore-one/access-earlier.ts';
import { restoreCustodyEarlier } from './restore-one/custody-earlier.ts';
import { restoreOrdersEarlier } from './restore-one/orders-earlier.ts';
import { openScene } from './restore-one/scene.ts';
import { restoreWebhooksEarlier } from './restore-one/webhooks-earlier.ts';

/** docs/operators/backup-restore.md, to the letter: one database is killed and goes back, under load. */
export const postgresRestoreOne: Rehearsal = {
  name: 'postgres-restore-one',
  summary: 'base backup, archived WAL, and each database alone restored to an earlier moment',
  run: async (stage) => {
    const scene = await openScene(stage);
    await stage.step('webhooks to an earlier moment', () => restoreWebhooksEarlier(scene));
    await stage.step('access to an earlier moment', () => restoreAccessEarlier(scene));
    await stage.step('custody to an earlier moment, then to its last commit', () =>
      restoreCustodyEarlier(scene),
    );
    const affected = await stage.step('orders to an earlier moment', () =>
      restoreOrdersEarlier(scene),
    );
    await stage.step('what was acknowledged and is not affected is complete', async () => {
      const { stack, partners, receiver } = scene;
      await partners.stop();
      const whole = partners.placed.filter(({ id, closed }) => closed && !affected.has(id));
      for (const { id } of whole)
        assert.equal((await partner(stack).get(`/orders/${id}`)).body.status, 'CLOSED');
      const ids = whole.map(({ id }) => id);
      await allReceived(receiver, ids);
      stage.note(
        `  ${whole.length} orders; responses to creations: ${statusText(partners.statuses)}`,
      );
    });
  },
};
