/** Prints a key for the API in the developer's cluster, this once. */
import { demoKey } from './operator.ts';

const key = await demoKey('orders:read,orders:write,webhooks:manage', '7d');
process.stdout.write(`a key for 7 days, shown this once:

  ${key}

  curl ${process.env.TILT_GATEWAY}/api/partner/v1/ping -H "Authorization: Bearer ${key}"
`);
