import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { identityFiles, issueIdentities } from '@pto/authority';
import { peerOf } from '../../../packages/rpc/src/tls.ts';
import { findProgram } from '../programs.ts';
import { environments, type Manifest, manifests, podTemplates, render } from '../rendered.ts';
import { furtherCell, installation, manifestsOf } from './installation.ts';

const dir = mkdtempSync(join(tmpdir(), 'pto-cells-'));
afterAll(() => rmSync(dir, { recursive: true }));

const namesOf = (all: readonly Manifest[], kind: string): string[] =>
  all.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);

(findProgram('helm') ? describe : describe.skip)('with Helm', () => {
  test.each(environments)('%s: it has the processes of a cell, and no other', (environment) => {
    const cell = manifestsOf(environment, 'north');
    const courier = environment === 'production' ? [] : ['courier'];
    expect(namesOf(cell, 'Deployment').sort()).toEqual(
      [...courier, 'auditor', 'custody', 'orders', 'webhooks'].sort(),
    );
    expect(namesOf(cell, 'Job').sort()).toEqual(
      [
        ...courier.map((name) => `${name}-migrate`),
        ...['custody-migrate', 'custody-topics', 'orders-migrate', 'webhooks-migrate'],
      ].sort(),
    );
    expect([...namesOf(cell, 'Ingress'), ...namesOf(cell, 'ConfigMap')]).toEqual([]);
  });

  test('no Secret of the database access, of Redis or of the console reaches it', () => {
    const cell = manifestsOf('production', 'north');
    const references = podTemplates(cell).flatMap(({ spec }) =>
      [...JSON.stringify(spec).matchAll(/"(?:secretName|secretKeyRef":\{"name)":"([^"]+)"/g)].map(
        ([, name]) => name!,
      ),
    );
    expect(references).toContain('orders-owner');
    const all = [...references, ...namesOf(cell, 'ExternalSecret')];
    expect(all.filter((name) => /^(access|redis|console|gateway|operators)/.test(name))).toEqual(
      [],
    );
    const stored = cell
      .filter(({ kind }) => kind === 'ExternalSecret')
      .flatMap(({ spec }) =>
        spec.data.map((one: { remoteRef: { key: string } }) => one.remoteRef.key),
      );
    expect(stored.length).toBeGreaterThan(15);
    expect(stored.filter((key: string) => !key.startsWith('partner-api-north/'))).toEqual([]);
  });

  test('its Job registers no key of the log of the first release', () => {
    const shared = join(dir, 'operator-values.yaml');
    const env = { CUSTODY_PUBLIC_KEYS: 'a key of the first log' };
    writeFileSync(shared, JSON.stringify({ custody: { jobs: { migrate: { env } } } }));
    const keysOf = (text: string): string =>
      podTemplates(manifests(text))
        .find(({ metadata }) => metadata.name === 'custody-migrate')!
        .spec.template.spec.containers[0].env.find(
          ({ name }: { name: string }) => name === 'CUSTODY_PUBLIC_KEYS',
        ).value;
    expect(keysOf(render('production', ['-f', shared]))).toBe(env.CUSTODY_PUBLIC_KEYS);
    const further = furtherCell('production', 'north');
    expect(keysOf(render('production', ['-f', shared, ...further]))).toBe('');
  });

  test('each certificate of every cell names its process, and no other one, to all processes', () => {
    const all = installation('sandbox');
    const domains = podTemplates(all).flatMap(({ spec }) =>
      (spec.template.spec.containers[0].env as { name: string; value: string }[])
        .filter(({ name }) => name === 'TLS_IDENTITY_DOMAIN')
        .map(({ value }) => value),
    );
    expect(domains.length).toBe(7 + 5 + 5);
    expect(new Set(domains)).toEqual(new Set(['partner-api.svc']));
    const certificates = all.filter(({ kind }) => kind === 'Certificate');
    expect(certificates.length).toBe(domains.length);
    for (const { metadata, spec } of certificates) {
      const folder = join(dir, `${metadata.namespace ?? 'first'}-${metadata.name}`);
      issueIdentities(folder, { process: spec.dnsNames }, 1);
      const certificate = new X509Certificate(
        readFileSync(identityFiles(folder, 'process').certFile),
      );
      expect(peerOf(certificate, domains[0]!)?.process).toBe(metadata.name);
    }
  });

  const withPromtool = findProgram('promtool') ? test : test.skip;
  withPromtool('its rules miss no gateway, and do miss a process of the cell', () => {
    const files = manifests(render('production', furtherCell('production', 'north')))
      .filter(({ kind }) => kind === 'PrometheusRule')
      .map(({ metadata, spec }) => {
        writeFileSync(join(dir, `${metadata.name}.yaml`), JSON.stringify(spec));
        return `${metadata.name}.yaml`;
      });
    const series = ['orders', 'custody', 'webhooks'].map((service) => ({
      series: `process_start_time_seconds{namespace="partner-api-north",service="${service}"}`,
      values: '0x60',
    }));
    const missed = {
      exp_labels: { severity: 'page', namespace: 'partner-api-north', service: 'auditor' },
      exp_annotations: {
        summary: 'No process of auditor is seen',
        runbook_url: 'docs/operators/runbooks/ServiceAbsent.md',
      },
    };
    const alert = { eval_time: '30m', alertname: 'ServiceAbsent', exp_alerts: [missed] };
    const cases = {
      rule_files: files,
      tests: [{ interval: '1m', input_series: series, alert_rule_test: [alert] }],
    };
    writeFileSync(join(dir, 'test.yaml'), JSON.stringify(cases));
    const words = ['test', 'rules', 'test.yaml'];
    expect(execFileSync(findProgram('promtool')!, words, { cwd: dir, encoding: 'utf8' })).toMatch(
      /SUCCESS/,
    );
  });

  test.each([
    ['gateway.enabled=false', 'gateway.enabled may be false only in the release of a further cell'],
    ['operators.enabled=false', 'operators.enabled may be false only'],
    ['global.cells.main=partner-api-main', 'global.cells names main'],
    ['global.cells.north=partner-api', 'each cell needs a namespace of its own'],
    ['global.cells.a=one,global.cells.b=one', 'each cell needs a namespace of its own'],
    ['global.cells.North=one', 'North'],
    ['global.cells.north=', 'north'],
  ])('a first release with %s is rejected', (setting, message) => {
    expect(() => render('production', ['--set', setting])).toThrow(message);
  });

  test.each([
    ['gateway.enabled=true', 'gateway.enabled must be false with global.firstNamespace'],
    ['operators.enabled=true', 'operators.enabled must be false'],
    ['witness.enabled=true', 'witness.enabled must be false'],
    ['global.firstNamespace=partner-api-north', "this release's own namespace"],
    ['global.firstNamespace=', 'set global.firstNamespace'],
    ['global.cells.south=partner-api-south', 'global.cells belongs into the values of the first'],
    ['global.kafka.topicPrefix=', 'global.kafka.topicPrefix is required'],
    ['global.monitoring.dashboards=true', 'global.monitoring.dashboards must be false'],
  ])('the release of a further cell with %s is rejected', (setting, message) => {
    const cell = [...furtherCell('production', 'north'), '--set', setting];
    expect(() => render('production', cell)).toThrow(message);
  });

  test('the release of a further cell with a console is rejected', () => {
    const cell = [...furtherCell('local', 'north'), '--set', 'console.enabled=true'];
    expect(() => render('local', cell)).toThrow('console.enabled must be false');
  });
});
