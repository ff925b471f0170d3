import type { Check } from '../check.ts';
import { deliveryChecks } from './deliveries.ts';
import { integrationChecks } from './integration.ts';
import { signatureChecks } from './signatures.ts';

/** All checks, in the order in which they run. */
export const checks: readonly Check[] = [
  ...deliveryChecks,
  ...signatureChecks,
  ...integrationChecks,
];
