import { openReleases } from '../../../e2e/chaos/releases.ts';
import { settled } from '../../../e2e/local-stack.ts';
import { openLoaded } from '../bed/loaded.ts';
import { drainMs } from '../bed/stack.ts';
import type { Drill } from '../drill.ts';

const replicas = 'gateway=2,orders=2,custody=2,webhooks=2';

/** docs/operators/upgrade.md: the pods of one release are replaced by those of another, and back. */
export const rollingUpgrade: Drill = {
  name: 'rolling-upgrade',
  summary:
    'from an earlier release (--from CHECKOUT) to this one, back and forward again under load, without a failed request',
  run: async (bed) => {
    const { from } = bed;
    if (from === undefined)
      throw new Error('needs --from CHECKOUT: an earlier release with its packages installed');
    const releases = await bed.step('the programs of both releases', () =>
      openReleases(from, bed.note),
    );
    bed.atEnd(releases.close);
    const on = await openLoaded(bed, {
      args: ['--no-demo', '--replicas', replicas],
      env: { ...releases.env, GATEWAY_DRAIN: '2s' },
      lanes: 6,
      ingress: true,
    });
    await bed.step('the Jobs of the present release', () => releases.migrate(on.stack));
    for (const release of ['present', 'earlier', 'present'] as const)
      await bed.step(`all pods of the ${release} release, one after the other`, async () => {
        const placed = on.partners.placed.length;
        await releases.change(on.stack, release, AbortSignal.timeout(600_000), drainMs);
        await settled(on.stack);
        await on.closed(5);
        bed.note(`  ${on.partners.placed.length - placed} orders placed meanwhile`);
      });
    await bed.step('nothing failed, nothing is lost, nothing came twice', async () => {
      await on.finish();
      await on.complete();
      on.unnoticed();
    });
  },
};
