import type { MigrationList } from '@pto/database';
import { baseline } from './20261129180000_access.ts';
import { orderLinks } from './20261130013000_order_links.ts';
import { carriers } from './20261130042000_carriers.ts';
import { keyRotations } from './20261130110000_key_rotations.ts';
import { driversPhones } from './20261130150000_drivers_phones.ts';
import { carriersSignIn } from './20261130220000_carriers_sign_in.ts';

/** All migrations of the database `access`, in the order of their names. */
export const migrations: MigrationList = [
  ...[baseline, orderLinks, carriers, keyRotations],
  ...[driversPhones, carriersSignIn],
];
