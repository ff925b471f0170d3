/** Two cells behind two gateways, on one stack. */
import { describe } from '@jest/globals';
import { unlimited } from '../../local-stack.ts';
import { ownStack, withOrganizations } from '../test-stack.ts';
import { anOrganizationMoves } from './an-organization-moves.ts';
import { twoCells } from './two-cells.ts';

const stack = ownStack({
  args: ['--cells', 'north', '--no-demo', '--replicas', 'gateway=2'],
  env: { ...unlimited, CUSTODY_AUDITOR_PAUSE: '500ms' },
});

describe('two cells', () => twoCells(stack));
describe('an organization', () => anOrganizationMoves(withOrganizations(stack)));
