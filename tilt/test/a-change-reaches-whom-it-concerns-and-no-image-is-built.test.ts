import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Call, type Evaluated, evaluate, go, helm, root } from '../evaluator/evaluate.ts';

const repository = 'localhost/partner-api';
const restarter = 'tilt/restarter.ts';
const steps = (image: Call, call: string) =>
  (image.live_update as Call[]).filter((step) => step.call === call);
const isIn = (file: string, folder: string) => file === folder || file.startsWith(`${folder}/`);

(go && helm ? describe : describe.skip)('by Starlark’s interpreter', () => {
  let evaluated: Evaluated;
  let images: readonly Call[];
  beforeAll(() => {
    evaluated = evaluate({ context: 'kind-kind' });
    expect(evaluated.error).toBeUndefined();
    images = evaluated.calls.docker_build!;
  }, 180_000);

  /** The effect of a change: which pods receive it, and which images must be rebuilt. */
  const change = (file: string) => {
    const seen = images.filter((image) =>
      (image.only as string[]).some((path) => isIn(file, path)),
    );
    const live = seen.filter(
      (image) =>
        steps(image, 'sync').some((step) => isIn(join(root, file), step.local_path as string)) &&
        !steps(image, 'fall_back_on').some((step) =>
          (step.paths as string[]).includes(join(root, file)),
        ),
    );
    const names = (some: readonly Call[]) =>
      some.map(({ ref }) => (ref as string).slice(repository.length + 1));
    return { live: names(live), built: names(seen.filter((image) => !live.includes(image))) };
  };
  const all = ['gateway', 'orders', 'custody', 'webhooks'];

  test('a service’s file goes to its own pods, a shared one to all, and the lockfile builds all', () => {
    expect(change('services/orders/src/service.ts')).toEqual({ live: ['orders'], built: [] });
    expect(change('operator/src/main.ts')).toEqual({ live: [], built: [] });
    expect(change('packages/rpc/src/call.ts')).toEqual({ live: all, built: [] });
    expect(change('proto/gen/orders/v1/orders_pb.js')).toEqual({ live: all, built: [] });
    expect(change('package-lock.json')).toEqual({ live: [], built: all });
    expect(change('e2e/mesh.ts')).toEqual({ live: [], built: [] });
  });

  test('of all files that an image is made of, none but manifests has it built again', () => {
    const files = execFileSync('git', ['ls-files', 'packages', 'verifiers', 'proto', 'services'], {
      cwd: root,
      encoding: 'utf8',
    })
      .trim()
      .split('\n');
    expect(files.length).toBeGreaterThan(400);
    const building = files.filter((file) => change(file).built.length > 0);
    expect(building.sort()).toEqual(
      ['custody', 'gateway', 'orders', 'webhooks'].map((name) => `services/${name}/package.json`),
    );
    for (const file of building) expect(change(file).live).toHaveLength(1);
  });

  test('what a step names is there, and comes to where the images have put it', () => {
    const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
    const live = readFileSync(join(root, 'tilt/live.Dockerfile'), 'utf8');
    expect(dockerfile).toContain('AS npm\nWORKDIR /checkout\n');
    expect(dockerfile).toMatch(
      /^FROM npm AS checkout\n(?:RUN .*\n)*COPY --from=manifests \/all \.$/m,
    );
    expect(live).toContain('FROM checkout AS linked\n');
    expect(live).toContain('COPY --from=linked --chown=10001:10001 /checkout /app\n');
    for (const image of images) {
      const { TARGET: target, SITE: site } = image.build_args as Record<string, string>;
      expect(dockerfile).toContain(`FROM runtime AS ${target}\n`);
      expect(dockerfile + live).toMatch(new RegExp(`^FROM .* AS ${site}$`, 'm'));
      const only = image.only as string[];
      for (const path of only) expect([path, existsSync(join(root, path))]).toEqual([path, true]);
      const synced = steps(image, 'sync').map(({ local_path: from, remote_path: to }) => {
        const path = (from as string).slice(root.length);
        expect([path, existsSync(from as string), to]).toEqual([path, true, `/app/${path}`]);
        return path;
      });
      // what is not replaced is a manifest, or runs only while the image is built or started
      const built = ['site', 'docs/partners', 'clients', 'CHANGELOG.md', 'dev/bundle'];
      const code = only.filter(
        (path) => !/package(-lock)?\.json$/.test(path) && ![...built, restarter].includes(path),
      );
      expect(synced.sort()).toEqual(code.sort());
    }
  });

  test('a service is started again after its files are there', () => {
    for (const image of images) {
      const calls = (image.live_update as Call[]).map(({ call }) => call);
      expect(calls).toEqual(['fall_back_on', 'sync', 'sync', 'sync', 'sync', 'run']);
      for (const step of steps(image, 'run')) expect(step.cmd).toBe('kill -HUP 1');
    }
  });

  test('npm sees every workspace that its image lets through', () => {
    const ignored = readFileSync(join(root, '.dockerignore'), 'utf8');
    const manifests = [...ignored.matchAll(/^!(.*package\.json)$/gm)].map(([, path]) => path!);
    for (const image of images)
      for (const path of [...manifests, ...all.map((s) => `services/${s}/package.json`)])
        expect((image.only as string[]).some((one) => isIn(path, one))).toBe(true);
  });

  test('every image of ours in the charts is one that is built', () => {
    const used = evaluated.objects
      .flatMap(({ spec }) => spec?.template?.spec.containers ?? [])
      .map(({ image }: { image: string }) => image)
      .filter((image) => image.startsWith(`${repository}/`));
    expect([...new Set(used)].sort()).toEqual(images.map(({ ref }) => `${ref}:dev`).sort());
  });

  test('files of a serving pod may be replaced, and code that does not compile ends no pod', () => {
    const ours = evaluated.objects.filter(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name !== 'redis',
    );
    expect(ours.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(['gateway', 'orders', 'custody', 'webhooks', 'auditor']),
    );
    for (const { spec } of ours) {
      expect(spec.replicas).toBe(1);
      const [container] = spec.template.spec.containers;
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: false,
        runAsNonRoot: true,
      });
      expect(container.livenessProbe).toBeUndefined();
    }
    // nobody else is loosened
    for (const { kind, spec } of evaluated.objects)
      if (kind === 'Job')
        expect(spec.template.spec.containers[0].securityContext.readOnlyRootFilesystem).toBe(true);
  });
});
