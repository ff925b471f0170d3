import { operator } from './operator.ts';

interface Organization {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
}

const name = 'Tilt Clinic';

/** Issues a key of the buttons' organization, with the given lifetime. */
export const demoKey = async (scopes: string, expiresIn: string): Promise<string> => {
  const all = await operator<Organization[]>('org', 'list');
  const { id } =
    all.find((one) => one.name === name && one.enabled) ??
    (await operator<Organization>('org', 'create', '--name', name));
  const words = ['--org', id, '--scopes', scopes, '--expires-in', expiresIn];
  return (await operator<{ key: string }>('key', 'issue', ...words)).key;
};
