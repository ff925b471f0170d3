import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { pollMs } from '../../packages/rpc/src/grpc/polled-names.ts';
import { drainMs } from '../drills/bed/stack.ts';
import { findProgram } from './programs.ts';
import { environments, manifests, podTemplates, render } from './rendered.ts';

/** Every process stops within 10 s by its own promise (packages/lifecycle). */
const ownStopSeconds = 10;
/** Until the endpoints are changed, and until a name server forgets the former ones. */
const endpointSeconds = 1;
const nameSeconds = 5;
const upgradePage = readFileSync(
  new URL('../../docs/operators/upgrade.md', import.meta.url),
  'utf8',
);
const where = findProgram('helm') ? describe : describe.skip;

where('with Helm', () => {
  describe.each(environments)('%s', (environment) => {
    // the body of a suite that is skipped runs, too
    const all = findProgram('helm') ? manifests(render(environment)) : [];
    const deployments = all.filter(({ kind }) => kind === 'Deployment');
    const jobs = all.filter(({ kind }) => kind === 'Job');

    test('a terminating pod leaves the load balancers and all clients before SIGTERM, and has its grace period', () => {
      for (const { spec } of deployments) {
        const { terminationGracePeriodSeconds: grace, containers } = spec.template.spec;
        const drain = containers[0].lifecycle.preStop.sleep.seconds;
        expect(drain).toBeGreaterThan(endpointSeconds + nameSeconds + pollMs / 1000);
        expect(grace).toBeGreaterThan(drain + ownStopSeconds);
        expect(drain * 1000).toBe(drainMs);
        for (const text of [`serves for ${drain} s`, `killed ${grace} s after`])
          expect(upgradePage).toContain(text);
      }
    });

    test('there are never fewer pods than before, but where there may never be two', () => {
      for (const { metadata, spec } of deployments) {
        const alone = metadata.name === 'auditor';
        expect([metadata.name, spec.strategy]).toEqual([
          metadata.name,
          alone
            ? { type: 'Recreate' }
            : { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
        ]);
        const scaled = all.some(
          ({ kind, metadata: { name } }) =>
            kind === 'HorizontalPodAutoscaler' && name === metadata.name,
        );
        if (!scaled) expect(spec.replicas).toBe(alone ? 1 : 2);
      }
    });

    test('starting, working and serving are three questions; life does not follow the stores', () => {
      for (const { spec } of deployments) {
        const { startupProbe, readinessProbe, livenessProbe } = spec.template.spec.containers[0];
        expect(readinessProbe.httpGet.path).toBe('/readyz');
        expect([startupProbe.httpGet.path, livenessProbe.httpGet.path]).toEqual([
          '/livez',
          '/livez',
        ]);
        expect(startupProbe.failureThreshold * startupProbe.periodSeconds).toBeGreaterThanOrEqual(
          60,
        );
      }
    });

    test('each database is migrated by one Job at a time, before anything of a new version', () => {
      expect(jobs.map(({ metadata }) => metadata.name).sort()).toEqual([
        ...[
          ...(environment === 'production' ? [] : ['courier-migrate']),
          'custody-migrate',
          'custody-topics',
          'operators-migrate',
          'orders-migrate',
          'webhooks-migrate',
        ],
      ]);
      for (const { metadata, spec } of jobs) {
        expect(metadata.annotations?.['helm.sh/hook']).toBe('pre-install,pre-upgrade');
        expect([spec.parallelism, spec.completions]).toEqual([1, 1]);
        expect(spec.activeDeadlineSeconds).toBeGreaterThan(0);
      }
      for (const { metadata, spec } of deployments) {
        const given = spec.template.spec.containers[0].env.map(
          ({ name }: { name: string }) => name,
        );
        expect([metadata.name, given.includes('MIGRATION_DATABASE_URL')]).toEqual([
          metadata.name,
          false,
        ]);
      }
    });

    test('no pod speaks to Kubernetes, and none can write but where it must', () => {
      for (const { spec } of podTemplates(all)) {
        const { automountServiceAccountToken, containers, securityContext } = spec.template.spec;
        expect(automountServiceAccountToken).toBe(false);
        expect(securityContext.runAsNonRoot).toBe(true);
        expect(containers[0].securityContext).toMatchObject({
          readOnlyRootFilesystem: true,
          allowPrivilegeEscalation: false,
          capabilities: { drop: ['ALL'] },
        });
      }
    });
  });
});
