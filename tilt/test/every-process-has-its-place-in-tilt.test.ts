import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Call,
  type Evaluated,
  evaluate,
  evaluateByTilt,
  go,
  helm,
  tilt,
} from '../evaluator/evaluate.ts';

const machine = { context: 'kind-kind' };
const services = ['gateway', 'orders', 'custody', 'webhooks'];
const nameOf = (call: Call) => (call.workload ?? call.new_name ?? call.name) as string;

(go && helm ? describe : describe.skip)('by Starlark’s interpreter', () => {
  let evaluated: Evaluated;
  const resources = () => [...evaluated.calls.k8s_resource!, ...evaluated.calls.local_resource!];
  const resource = (name: string) => resources().find((one) => nameOf(one) === name)!;
  beforeAll(() => {
    evaluated = evaluate(machine);
    expect(evaluated.error).toBeUndefined();
  }, 180_000);

  test('every resource stands in one group', () => {
    const groups: Record<string, string[]> = {};
    for (const one of resources()) {
      expect({ name: nameOf(one), labels: one.labels }).toMatchObject({
        labels: [expect.any(String)],
      });
      const [label] = one.labels as [string];
      groups[label] = [...(groups[label] ?? []), nameOf(one)];
    }
    for (const group of Object.values(groups)) group.sort();
    expect(groups).toEqual({
      stores: ['kafka', 'postgres', 'redis', 'store-secrets'],
      services: [
        'auditor',
        'custody',
        'gateway',
        'ground',
        'operator-gateway',
        'orders',
        'webhooks',
      ],
      jobs: [
        ...['custody-migrate', 'custody-topics', 'gateway-migrate', 'orders-migrate'],
        'webhooks-migrate',
      ],
      tools: ['issue-demo-key', 'verify-ledger', 'walk-an-order'],
      tests: [
        'check',
        'e2e',
        'test-custody',
        'test-gateway',
        'test-orders',
        'test-packages',
        'test-webhooks',
      ],
    });
  });

  test('no object of the charts is left over', () => {
    const placed = resources().flatMap((one) => [
      ...((one.objects as string[] | undefined) ?? []),
      ...['deployment', 'statefulset', 'job'].map((kind) => `${nameOf(one)}:${kind}`),
    ]);
    const left = evaluated.objects
      .filter(({ kind }) => kind !== 'Service')
      .map(({ kind, metadata }) => `${metadata.name}:${kind.toLowerCase()}`)
      .filter((selector) => !placed.includes(selector));
    expect(left).toEqual([]);
    expect(evaluated.objects.length).toBeGreaterThan(60);
  });

  test('the API and the stores answer on this machine, at ports of containers', () => {
    const forwards = resources().flatMap((one) =>
      ((one.port_forwards as Call[] | undefined) ?? []).map((forward) => [
        nameOf(one),
        forward.local_port,
        forward.container_port,
      ]),
    );
    expect(forwards.sort()).toEqual([
      ['gateway', 8080, 8080],
      ['kafka', 9092, 9094],
      ['postgres', 5432, 5432],
      ['redis', 6379, 6379],
    ]);
    for (const [name, , port] of forwards) {
      const pods = evaluated.objects.find(
        (one) => one.metadata.name === name && one.spec?.template !== undefined,
      )!;
      const [container] = pods.spec.template.spec.containers;
      expect(container.ports).toContainEqual(expect.objectContaining({ containerPort: port }));
    }
  });

  test('stores come first, Jobs after them, and what serves after every Job', () => {
    const jobs = evaluated.objects.filter(({ kind }) => kind === 'Job');
    for (const { metadata } of jobs) {
      const { resource_deps: needs, trigger_mode: trigger } = resource(metadata.name);
      expect(needs).toEqual(['ground', metadata.name.endsWith('-topics') ? 'kafka' : 'postgres']);
      expect(trigger).toBe('manual');
    }
    const names = jobs.map(({ metadata }) => metadata.name);
    for (const name of [...services, 'auditor', 'operator-gateway'])
      expect(resource(name).resource_deps).toEqual(expect.arrayContaining(names));
    expect(resource('gateway').resource_deps).toEqual(
      expect.arrayContaining(['postgres', 'redis']),
    );
    expect(resource('orders').resource_deps).toEqual(expect.arrayContaining(['postgres', 'kafka']));
  });

  test('buttons and tests run when they are pressed, and then what is there', () => {
    const pressed = evaluated.calls.local_resource!;
    for (const one of pressed)
      expect(one).toMatchObject({ trigger_mode: 'manual', auto_init: false });
    const programs = pressed.map((one) => (one.cmd as string[]).join(' '));
    expect(programs).toEqual([
      'npm exec --call node tilt/buttons/issue-demo-key.ts',
      'npm exec --call node tilt/buttons/walk-an-order.ts',
      'npm exec --call node tilt/buttons/verify-ledger.ts',
      'npm run check',
      ...services.map((name) => `npm test -- services/${name}`),
      'npm test -- packages verifiers dev',
      'npm test -- e2e',
    ]);
    expect(resource('issue-demo-key').env).toEqual({
      TILT_CONTEXT: 'kind-kind',
      TILT_NAMESPACE: 'default',
      TILT_GATEWAY: 'http://localhost:8080',
    });
  });

  test('“tilt down” keeps the volumes, and the passwords that open them', () => {
    const kept = evaluated.objects
      .filter(({ metadata }) => metadata.annotations?.['tilt.dev/down-policy'] === 'keep')
      .map(({ metadata }) => metadata.name);
    expect(kept.sort()).toEqual([
      'auditor-memory',
      'custody-anchor',
      'local-authority',
      'local-passwords',
    ]);
  });

  (tilt ? test : test.skip)('Tilt itself finds the same resources', () => {
    const { status, stdout, stderr } = evaluateByTilt(machine);
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const { Manifests: found } = JSON.parse(stdout) as { Manifests: { Name: string }[] };
    expect(found.map(({ Name }) => Name).sort()).toEqual(resources().map(nameOf).sort());
  });
});
