import { expect, test } from '@jest/globals';
import { alerts } from './monitoring/monitoring.ts';
import { findProgram } from './programs.ts';
import { environments, manifests, render } from './rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;

withHelm.each(environments.filter((name) => name !== 'local'))(
  '%s: a renewal has a day before the first alert',
  (environment) => {
    const days = alerts()
      .filter(({ alert }) => alert === 'CertificateEndsSoon')
      .map(({ expr }) => Number(/< (\d+) \* 86400$/.exec(expr)![1]));
    const certificates = manifests(render(environment)).filter(
      ({ kind }) => kind === 'Certificate',
    );
    expect([days.length, certificates.length]).toEqual([2, environment === 'production' ? 6 : 7]);
    for (const { spec } of certificates)
      expect(Number.parseInt(spec.renewBefore, 10)).toBeGreaterThanOrEqual(
        24 * (Math.max(...days) + 1),
      );
  },
);
