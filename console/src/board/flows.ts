/** What the next step of an order asks for, and the commands that it sends. Pure. */
import { nextCommandOf } from '@pto/proto/order-commands';
import type { OpenOrder } from '@pto/proto/orders/v1/commands';
import type { StepCommand } from './steps.ts';

/** Of more items the seals are entered on the command line, from a list. */
export const sealsMax = 20;

/** What a person gives with a step. */
export interface Given {
  readonly transportOrganization?: string;
  /** Its record; empty: a name alone. */
  readonly carrierId?: string;
  readonly driver?: string;
  readonly driverId?: string;
  readonly sealIds?: readonly string[];
  /** Whether the step after this one is done, too. */
  readonly andNext?: boolean;
}

export interface Flow {
  /** Words of the button. */
  readonly verb: string;
  /** What the person gives or confirms; null: nothing, it is done by one key. */
  readonly asks: 'carrier' | 'driver' | 'seals' | 'confirmation' | null;
  /** The step after it that can be done together with it, in words. */
  readonly next?: string;
  /** Whether it cannot be taken back. */
  readonly isFinal: boolean;
}

const asks: Readonly<Record<string, Flow['asks']>> = {
  assign: 'carrier',
  driver: 'driver',
  seal: 'seals',
  deliver: 'confirmation',
};
const together: Readonly<Record<string, string>> = {
  seal: 'The transport starts now, too',
  deliver: 'Close the order, too',
};

/** Returns the next step; undefined: the order has none. */
export const flowOf = ({ status }: Pick<OpenOrder, 'status'>): Flow | undefined => {
  const command = nextCommandOf(status);
  if (!command) return undefined;
  const { name, call, movesCustody } = command;
  return {
    verb: call?.label ?? name,
    asks: asks[name] ?? null,
    ...(together[name] && { next: together[name] }),
    isFinal: movesCustody === true,
  };
};

/**
 * Returns the commands of an order's next step. A carrier with a driver has agreed: the order is
 * accepted, and has the driver.
 */
export const commandsOf = (
  { status }: Pick<OpenOrder, 'status'>,
  { transportOrganization, carrierId, driver, driverId, sealIds, andNext }: Given,
): readonly StepCommand[] => {
  const command = (rpc: string, fields: StepCommand['fields'] = {}): StepCommand => ({
    rpc,
    commandId: crypto.randomUUID(),
    fields,
  });
  const ofDriver = driverId ? { driverId } : { driver };
  const name = nextCommandOf(status)!.name;
  switch (name) {
    case 'assign':
      return [
        command('assignOrder', carrierId ? { carrierId } : { transportOrganization }),
        ...(driver ? [command('acceptOrder'), command('assignDriver', ofDriver)] : []),
      ];
    case 'driver':
      return [command('assignDriver', ofDriver)];
    case 'seal':
      return [command('sealOrder', { sealIds }), ...(andNext ? [command('startTransport')] : [])];
    case 'deliver':
      return [command('deliverOrder'), ...(andNext ? [command('closeOrder')] : [])];
    default:
      return [command(nextCommandOf(status)!.call!.rpc)];
  }
};
