import { describe, expect, test } from '@jest/globals';
import { waitMaxSeconds } from '../../../services/gateway/src/resources/events.ts';
import { readingMaxMs } from '../../../services/gateway/src/routes/locations.ts';
import { findProgram } from '../programs.ts';
import { manifests, render } from '../rendered.ts';

const where = findProgram('helm') ? describe : describe.skip;
/** Of a connection and of the response itself, beyond a wait. */
const marginSeconds = 5;

where('with Helm', () => {
  test.each(['sandbox', 'production'] as const)(
    '%s: the ingress waits longer for a part of a response than a feed may wait',
    (environment) => {
      const ingress = manifests(render(environment)).find(({ kind }) => kind === 'Ingress')!;
      const read = ingress.metadata.annotations?.['nginx.ingress.kubernetes.io/proxy-read-timeout'];
      expect(Number(read)).toBeGreaterThanOrEqual(waitMaxSeconds + marginSeconds);
    },
  );

  test('an HTTPRoute lets a partner read the longest response to its end', () => {
    const route = manifests(
      render('production', [
        ...[
          '--set',
          'gateway.gatewayApi.enabled=true',
          '--set',
          'gateway.gatewayApi.host=api.test',
        ],
        ...['--set', 'gateway.gatewayApi.parents[0].name=public'],
      ]),
    ).find(({ kind }) => kind === 'HTTPRoute')!;
    // of the whole response, unlike the ingress's
    const { request, backendRequest } = route.spec.rules[0].timeouts;
    expect(request).toMatch(/^\d+s$/);
    expect(parseInt(request, 10)).toBeGreaterThan(readingMaxMs / 1000 + marginSeconds);
    expect(backendRequest).toBe(request);
  });
});
