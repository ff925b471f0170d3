/**
 * Tests that count or search what a whole stack holds, or end single processes of it, one file after the
 * other on one stack with Kafka. The first counts all that is in the ledger.
 */
import { describe } from '@jest/globals';
import { unlimited } from '../../local-stack.ts';
import { ownStack, withOrganizations } from '../test-stack.ts';
import { erasure } from './erasure.ts';
import { evidence } from './evidence.ts';
import { ledgerAndOperators } from './ledger-and-operators.ts';
import { publicLog } from './public-log.ts';
import { sandboxCourier } from './sandbox-courier.ts';
import { statusAndPages } from './status-and-pages.ts';
import { supportQuestions } from './support-questions.ts';

const stack = ownStack({ env: { ...unlimited, WEBHOOKS_RETRY_WAITS: '1s,1h,1h,1h,1h' } });

describe('the public log', () => publicLog(withOrganizations(stack)));
describe('questions to support', () => supportQuestions(withOrganizations(stack)));
describe('the ledger and operators in the console', () =>
  ledgerAndOperators(withOrganizations(stack)));
describe('what is broken', () => statusAndPages(withOrganizations(stack)));
describe('erasure', () => erasure(withOrganizations(stack)));
describe('evidence', () => evidence(withOrganizations(stack)));
describe('the sandbox courier', () => sandboxCourier(withOrganizations(stack)));
