/**
 * Tests that need the ledger of a whole stack for themselves, or end processes of it: one file after the
 * other on one stack with two processes of each service, and with Kafka. The first counts all that is in
 * the ledger; the last ends Redis.
 */
import { describe } from '@jest/globals';
import { unlimited } from '../../local-stack.ts';
import { ownStack, withOrganizations } from '../test-stack.ts';
import { erasure } from './erasure.ts';
import { eventFeed } from './event-feed.ts';
import { evidence } from './evidence.ts';
import { ledgerAndOperators } from './ledger-and-operators.ts';
import { noFalseAlarms } from './no-false-alarms.ts';
import { publicLog } from './public-log.ts';
import { sandboxCourier } from './sandbox-courier.ts';
import { supportQuestions } from './support-questions.ts';
import { twoReplicas } from './two-replicas-behave-as-one.ts';

const stack = ownStack({
  args: ['--no-demo', '--replicas', 'gateway=2,orders=2,custody=2,webhooks=2'],
  env: {
    ...unlimited,
    GATEWAY_REJECTION_HOLD: '1ms',
    WEBHOOKS_RETRY_WAITS: '1s,1h,1h,1h,1h',
    CUSTODY_AUDITOR_PAUSE: '500ms',
  },
});

describe('the public log', () => publicLog(withOrganizations(stack)));
describe('no false alarms', () => noFalseAlarms(withOrganizations(stack)));
describe('questions to support', () => supportQuestions(withOrganizations(stack)));
describe('the ledger and operators in the console', () =>
  ledgerAndOperators(withOrganizations(stack)));
describe('erasure', () => erasure(withOrganizations(stack)));
describe('evidence', () => evidence(withOrganizations(stack)));
describe('the event feed', () => eventFeed(withOrganizations(stack)));
describe('the sandbox courier', () => sandboxCourier(withOrganizations(stack)));
describe('two replicas', () => twoReplicas(withOrganizations(stack)));
