import type { Mutant } from '../../../tools/mutants/mutant.ts';

/** Safety mechanisms whose loss a test of this workspace must notice (`npm run mutants`). */
export const mutants: readonly Mutant[] = [
  {
    name: 'maps-of-sessions',
    mechanism: 'Only a session that the operators service knows gets a map',
    file: 'services/console/src/map/find-session.ts',
    original: 'if (statusCode === 401) return undefined;\n    if (statusCode === 200) ',
    broken: '',
    tests: ['console/test/maps-need-a-session'],
  },
  {
    name: 'maps-per-session',
    mechanism: 'One session leaves the thread of the maps to the others',
    file: 'services/console/src/map/map-route.ts',
    original: 'perOwner: 2, waitingMax: 8',
    broken: 'perOwner: 2000, waitingMax: 8',
    tests: ['console/test/maps-need-a-session'],
  },
  {
    name: 'portal-below-the-api',
    mechanism: 'No path of the portal leaves the API of the gateway',
    file: 'services/console/src/portal/forward.ts',
    original: String.raw`(?:\/[\w-][\w.-]*)+$`,
    broken: String.raw`(?:\/[\w.-]+)+$`,
    tests: ['console/test/hostile-connections'],
  },
];
