import { X509Certificate } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { findProgram, run } from './programs.ts';
import { charts, type Manifest, manifests } from './rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;

const rendered = (...more: string[]): readonly Manifest[] => {
  const words = ['template', 'x', `${charts}/local-stores`, '--namespace', 'north', ...more];
  const { code, output } = run(findProgram('helm')!, words);
  if (code !== 0) throw new Error(output);
  return manifests(output);
};
const store = (name: string): Manifest =>
  rendered().find(({ kind, metadata }) => kind === 'StatefulSet' && metadata.name === name)!;

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

withHelm('the stores of a further cell lack what the first release has for all cells', () => {
  const names = (all: readonly Manifest[]) => all.map((one) => `${one.kind} ${one.metadata.name}`);
  const cell = rendered('--set', 'firstNamespace=first');
  const all = names(rendered());
  expect(all.filter((name) => !names(cell).includes(name)).sort()).toEqual([
    'Deployment redis',
    ...['access', 'access-operators', 'access-owner', 'gateway-tls', 'operators-tls', 'redis'].map(
      (name) => `Secret ${name}`,
    ),
    'Service redis',
  ]);
  expect(names(cell).filter((name) => !all.includes(name))).toEqual([]);
});

withHelm('a certificate names its process by the namespace of the first release', () => {
  const namesIn = (all: readonly Manifest[]) => {
    const secret = all.find(({ metadata }) => metadata.name === 'custody-tls') as unknown as {
      stringData: Record<string, string>;
    };
    return new X509Certificate(secret.stringData['tls.crt']!).subjectAltName;
  };
  expect(namesIn(rendered())).toBe('DNS:custody, DNS:custody.north.svc');
  expect(namesIn(rendered('--set', 'firstNamespace=first'))).toBe(
    'DNS:custody, DNS:custody.first.svc',
  );
});
