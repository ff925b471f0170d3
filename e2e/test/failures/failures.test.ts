/** Failures of processes and stores, one file after the other on one stack. The last ends its stores. */
import { describe } from '@jest/globals';
import { freePort } from '@pto/testing';
import { providerSettings } from '../../../services/operators/test/openid-provider.ts';
import { unlimited } from '../../local-stack.ts';
import { ownStack, withOrganizations } from '../test-stack.ts';
import { killedInACommand } from './killed-in-a-command.ts';
import { killedServices } from './killed-services.ts';
import { openidAndOutages } from './openid-and-outages.ts';
import { statusShowsUnavailableComponents } from './status-shows-unavailable-components.ts';
import { storeOutages } from './store-outages-degrade-only-dependent-routes.ts';

const providerPort = await freePort();
const stack = ownStack({
  args: ['--no-demo', '--replicas', 'webhooks=2'],
  env: {
    ...unlimited,
    ...providerSettings(`http://127.0.0.1:${providerPort}`),
    GATEWAY_OPEN_PER_MINUTE: '100000',
    // receivers of a busy test respond late at times: tried again soon, not after a minute
    WEBHOOKS_ATTEMPT_TIMEOUT: '4s',
    WEBHOOKS_RETRY_WAITS: '1s,2s,4s,8s,16s',
  },
});

describe('OpenID and outages', () => openidAndOutages(withOrganizations(stack), providerPort));
describe('the status page', () => statusShowsUnavailableComponents(withOrganizations(stack)));
describe('a killed process amid a command', () => killedInACommand(withOrganizations(stack)));
describe('killed services', () => killedServices(withOrganizations(stack)));
describe('unavailable stores', () => storeOutages(withOrganizations(stack)));
