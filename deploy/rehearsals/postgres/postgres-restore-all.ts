import assert from 'node:assert/strict';
import { partner } from '../../../e2e/partner.ts';
import { allReceived } from '../stage/received.ts';
import type { Rehearsal } from '../stage/rehearsal.ts';
import { restoreWithTheAnchor } from './restore-all/anchor-restored.ts';
import { restoreToLastCommit } from './restore-all/last-commit.ts';
import { restoreToOneMoment } from './restore-all/one-moment.ts';
import { openWitness } from './restore-all/witness.ts';
import { openScene } from './restore-one/scene.ts';

/** docs/operators/backup-restore.md, "Restore all databases", with a witness of the log. */
export const postgresRestoreAll: Rehearsal = {
  name: 'postgres-restore-all',
  summary: 'all databases restored together; the anchor, the auditor and a witness contradict',
  run: async (stage) => {
    const scene = await openScene(stage, await openWitness(stage));
    await stage.step('all databases to their last commits', () => restoreToLastCommit(scene));
    const affected = await stage.step('all databases to one earlier moment', () =>
      restoreToOneMoment(scene),
    );
    await stage.step('custody and its anchor to an earlier moment', () =>
      restoreWithTheAnchor(scene, affected),
    );
    await stage.step('what was acknowledged and is not affected is complete', async () => {
      const { stack, partners, receiver } = scene;
      await partners.stop();
      const complete = partners.placed.filter(({ id, closed }) => closed && !affected.has(id));
      for (const { id } of complete)
        assert.equal((await partner(stack).get(`/orders/${id}`)).body.status, 'CLOSED');
      await allReceived(
        receiver,
        complete.map(({ id }) => id),
      );
      stage.note(`  ${complete.length} orders`);
    });
  },
};
