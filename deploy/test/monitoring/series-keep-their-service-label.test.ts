import { expect, test } from '@jest/globals';
import { findProgram } from '../programs.ts';
import { environments, manifests, render } from '../rendered.ts';

const withHelm = findProgram('helm') ? test : test.skip;

// rules and dashboards select by it, and Prometheus would put the Service's name in its place
withHelm.each(environments.filter((name) => name !== 'local'))(
  '%s: labels of a process win over those of its target',
  (environment) => {
    const monitors = manifests(render(environment)).filter(({ kind }) => kind === 'ServiceMonitor');
    const endpoints = monitors.flatMap(({ spec }) => spec.endpoints);
    expect(endpoints.map(({ honorLabels }) => honorLabels)).toEqual(
      Array(environment === 'production' ? 6 : 7).fill(true),
    );
  },
);
