import { ExpectedTimesSchema } from '@pto/proto/orders/v1/commands';
import { clockIn, nearestIn, timeZoneOf } from '@pto/representation';
import type { Command } from 'commander';
import { clockOrInstant, sideOption } from '../arguments.ts';
import type { OpenClients } from '../clients.ts';
import { orderIdOf } from '../order-reference.ts';
import { members, print } from '../output.ts';

/** The office reports what a driver said of the next stop (decision 87). A repetition changes nothing. */
export const addEta = (order: Command, open: OpenClients): void => {
  order
    .command('eta <id>')
    .description('report when the driver expects to be at the next stop')
    .addOption(sideOption('--stop <stop>'))
    .requiredOption(
      '--at <time>',
      'such as 14:05 by the clock of the stop, or 2026-01-15T09:30:00Z',
      clockOrInstant,
    )
    .action(async (reference, { stop, at: text }, self) => {
      const orderId = await orderIdOf(open, reference);
      const { order } = await open().orders.showOrder({ orderId });
      const place = stop === 'pickup' ? order!.pickupLocation : order!.dropoffLocation;
      const zone = timeZoneOf(place?.country) ?? 'UTC';
      const ms = text.length === 5 ? nearestIn(zone, text, Date.now()) : Date.parse(text);
      const at = new Date(ms).toISOString();
      const { expected } = await open().orders.reportExpectedTime({ orderId, stop, at });
      await print(self, {
        order_id: orderId,
        ...members(ExpectedTimesSchema, expected!),
        local_time: clockIn(zone, ms),
        time_zone: zone,
      });
    });
};
