import {
  type Carrier,
  CarrierSchema,
  type Driver,
  DriverSchema,
} from '@pto/proto/operators/v1/carriers';
import {
  CreateDriverLinkResponseSchema,
  type Device,
  DeviceSchema,
} from '@pto/proto/operators/v1/drivers';
import { note } from '@pto/terminal';
import { Command, Option } from 'commander';
import type { OpenClients } from '../clients.ts';
import { members, print } from '../output.ts';
import { allCarriers, allDrivers, recordIdOf } from '../record-reference.ts';

const carrierShape = (carrier: Carrier | undefined) => members(CarrierSchema, carrier!);
const driverShape = (driver: Driver | undefined) => members(DriverSchema, driver!);
const deviceShape = (device: Device | undefined) => members(DeviceSchema, device!);

const withState = (command: Command): Command =>
  command
    .option('--name <name>', 'another name')
    .option('--telephone <number>', "another telephone; '' for none")
    .addOption(
      new Option('--state <state>', 'whether orders can be assigned to it').choices([
        'active',
        'inactive',
      ]),
    );
const changesOf = ({ name, telephone, state }: Readonly<Record<string, string>>) => ({
  ...(name !== undefined && { name }),
  ...(telephone !== undefined && { telephone }),
  ...(state !== undefined && { active: state === 'active' }),
});

export const carrierCommands = (open: OpenClients): Command => {
  const carrier = new Command('carrier').description('carriers, to which orders are assigned');
  carrier
    .command('list')
    .description('all carriers')
    .action(async (_, command) => {
      await print(command, (await allCarriers(open)).map(carrierShape));
    });
  carrier
    .command('add')
    .description('add a carrier')
    .requiredOption('--name <name>', 'its name, which no other active carrier has')
    .option('--telephone <number>', 'its telephone', '')
    .action(async ({ name, telephone }, command) => {
      const made = await open().carriers.createCarrier({ name, telephone });
      await print(command, carrierShape(made.carrier));
    });
  withState(carrier.command('change <carrier>'))
    .description('change it, by its id or name; what its drivers carry stays theirs')
    .action(async (reference, flags, command) => {
      const id = await recordIdOf(open, 'carrier', reference);
      const changed = await open().carriers.updateCarrier({ id, ...changesOf(flags) });
      await print(command, carrierShape(changed.carrier));
      if (changed.carrier?.active === false && changed.activeDrivers > 0)
        note(
          `Its active drivers (${changed.activeDrivers}) can be assigned when it is active again.`,
        );
    });
  return carrier;
};

export const driverCommands = (open: OpenClients): Command => {
  const driver = new Command('driver').description('drivers of carriers');
  driver
    .command('list')
    .description('all drivers')
    .option('--carrier <name or id>', 'of this carrier alone')
    .action(async ({ carrier }, command) => {
      const carrierId = carrier === undefined ? '' : await recordIdOf(open, 'carrier', carrier);
      await print(command, (await allDrivers(open, carrierId)).map(driverShape));
    });
  driver
    .command('add')
    .description('add a driver')
    .requiredOption('--carrier <name or id>', 'whose driver it is')
    .requiredOption('--name <name>', 'which no other active driver of the carrier has')
    .option('--telephone <number>', 'the telephone', '')
    .action(async ({ carrier, name, telephone }, command) => {
      const carrierId = await recordIdOf(open, 'carrier', carrier);
      const made = await open().carriers.createDriver({ carrierId, name, telephone });
      await print(command, driverShape(made.driver));
    });
  withState(driver.command('change <driver>'))
    .description('change a driver, by id or name')
    .action(async (reference, flags, command) => {
      const id = await recordIdOf(open, 'driver', reference);
      const changed = await open().carriers.updateDriver({ id, ...changesOf(flags) });
      await print(command, driverShape(changed.driver));
    });
  driver
    .command('link <driver>')
    .description("make a link that opens the driver's page once, on one phone; earlier ones end")
    .action(async (reference, _, command) => {
      const driverId = await recordIdOf(open, 'driver', reference);
      const link = await open().drivers.createDriverLink({ driverId });
      await print(command, members(CreateDriverLinkResponseSchema, link));
    });
  driver
    .command('devices <driver>')
    .description('the phones of a driver, the newest first')
    .action(async (reference, _, command) => {
      const driverId = await recordIdOf(open, 'driver', reference);
      const { devices } = await open().drivers.listDevices({ driverId });
      await print(command, devices.map(deviceShape));
    });
  driver
    .command('revoke <device>')
    .description('end a phone, by the id that `driver devices` prints; its sessions end at once')
    .option('--from <time>', 'its records are not trusted from then on; now, if not given', '')
    .action(async (id, { from }, command) => {
      const { device } = await open().drivers.revokeDevice({ id, from });
      await print(command, deviceShape(device));
    });
  return driver;
};
