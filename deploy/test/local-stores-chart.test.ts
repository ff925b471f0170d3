import { expect, test } from '@jest/globals';
import { findProgram, run } from './programs.ts';
import { charts, type Manifest, manifests } from './rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;

const store = (name: string): Manifest => {
  const { code, output } = run(findProgram('helm')!, ['template', 'x', `${charts}/local-stores`]);
  if (code !== 0) throw new Error(output);
  return manifests(output).find(
    ({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === name,
  )!;
};

withHelm('Postgres opens its socket where the image looks for it, and may write there', () => {
  const { containers, volumes } = store('postgres').spec.template.spec;
  expect(containers[0].args.join(' ')).not.toContain('unix_socket_directories');
  const { name } = containers[0].volumeMounts.find(
    ({ mountPath }: { mountPath: string }) => mountPath === '/var/run/postgresql',
  );
  expect(volumes).toContainEqual({ name, emptyDir: {} });
});

withHelm('Kafka sends nobody to an address that he cannot ask', () => {
  const { containers } = store('kafka').spec.template.spec;
  const env: Record<string, string> = Object.fromEntries(
    containers[0].env.map(({ name, value }: { name: string; value: string }) => [name, value]),
  );
  const addresses = (setting: string) =>
    Object.fromEntries(env[setting]!.split(',').map((one) => one.split('://')));
  const listens = addresses('KAFKA_LISTENERS');
  const tells = addresses('KAFKA_ADVERTISED_LISTENERS');
  // a listener each: the pods', and that of a forwarded port, which ends in the pod at its loopback
  expect([listens.PLAINTEXT, tells.PLAINTEXT]).toEqual([':9092', 'kafka:9092']);
  expect([listens.FORWARDED, tells.FORWARDED]).toEqual(['127.0.0.1:9094', 'localhost:9092']);
  expect(env.KAFKA_LISTENER_SECURITY_PROTOCOL_MAP!.split(',').sort()).toEqual(
    Object.keys(listens)
      .map((name) => `${name}:PLAINTEXT`)
      .sort(),
  );
});
