/**
 * Two processes of each service, which tests end, one file after the other on one stack with Kafka. The
 * last ends Redis.
 */
import { describe } from '@jest/globals';
import { unlimited } from '../../local-stack.ts';
import { ownStack, withOrganizations } from '../test-stack.ts';
import { eventFeed } from './event-feed.ts';
import { noFalseAlarms } from './no-false-alarms.ts';
import { positions } from './positions.ts';
import { twoReplicas } from './two-replicas-behave-as-one.ts';

const stack = ownStack({
  args: ['--no-demo', '--replicas', 'gateway=2,orders=2,custody=2,webhooks=2'],
  env: {
    ...unlimited,
    GATEWAY_REJECTION_HOLD: '1ms',
    CUSTODY_AUDITOR_PAUSE: '200ms',
  },
});

describe('no false alarms', () => noFalseAlarms(withOrganizations(stack)));
describe('the event feed', () => eventFeed(withOrganizations(stack)));
describe('positions', () => positions(withOrganizations(stack)));
describe('two replicas', () => twoReplicas(withOrganizations(stack)));
