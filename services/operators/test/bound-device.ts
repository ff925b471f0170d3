import { deviceOpening } from '@pto/custody-verifier';
import { DriverService, DriverSessionService } from '@pto/proto/operators/v1/drivers';
import { aPhone } from '@pto/testing';
import { type OperatorsUnderTest, tokenOf } from './operators-service.ts';

/** Binds a phone to a driver. @returns the id of the device. */
export const boundDevice = async (under: OperatorsUnderTest, driverId: string): Promise<string> => {
  const office = under.client(DriverService, 'operators', await tokenOf(under.database));
  const { url } = await office.createDriverLink({ driverId });
  const [code, phone] = [url.split('#')[1]!, await aPhone()];
  const signature = await phone.sign(deviceOpening(code));
  const sessions = under.client(DriverSessionService, 'operators');
  await sessions.openDriverSession({ code, key: phone.key, signature });
  return (await office.listDevices({ driverId })).devices[0]!.id;
};
