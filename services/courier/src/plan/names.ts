import { type Invented, invented } from '@pto/order-steps';
import type { Step } from './steps.ts';

/**
 * Returns the names that an order gets after these steps of its run: the transport organization that
 * declined does not accept, and the driver that was released does not drive.
 */
export const namesAfter = (steps: readonly Step[]): Invented => {
  const nth = (name: string, kind: Step['kind']): string => {
    const count = steps.filter((step) => step.kind === kind).length;
    return count === 0 ? name : `${name} ${count + 1}`;
  };
  return {
    transportOrganization: nth(invented.transportOrganization, 'decline'),
    driver: nth(invented.driver, 'release_driver'),
  };
};
