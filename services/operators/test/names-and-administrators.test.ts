import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AccessService } from '@pto/proto/access/v1/access';
import { type OperatorsUnderTest, startOperatorsService, tokenOf } from './operators-service.ts';

let under: OperatorsUnderTest;
let admin: string;
beforeAll(async () => {
  under = await startOperatorsService();
  admin = await tokenOf(under.database, ['admin']);
});
afterAll(() => under.stop());

const access = () => under.client(AccessService, 'access', admin);

const create = async (more: { name?: string; admins?: string[] }) =>
  (await access().createOrganization({ name: 'Clinic', ...more })).organization!;

const unprintable = [
  'a\nb',
  'a\r\nb',
  'a\u001b[2Jb',
  'a\u0000b',
  'a\u007fb',
  'a\u0085b',
  'a\u009b31mb',
  'a\u2028b',
  'a\u202eb',
  'a\u2066b',
];

describe.each(unprintable.map((name) => ({ name })))('the name $name', ({ name }) => {
  test('is rejected for an organization and for a key', async () => {
    const says = { message: expect.stringContaining('control characters') };
    await expect(create({ name })).rejects.toMatchObject(says);
    const { id: organizationId } = await create({});
    const issuing = access().issueKey({ organizationId, scopes: ['orders:read'], name });
    await expect(issuing).rejects.toMatchObject(says);
  });
});

test.each(['', '   ', 'n'.repeat(201)])('the length of the name %j is rejected', async (name) => {
  await expect(create({ name })).rejects.toMatchObject({
    message: expect.stringContaining('expected 1 to 200 characters'),
  });
});

test.each([
  'Universitätsklinikum Köln – Nord',
  'St. Mary\'s & Sons, "West"',
  'מרכז רפואי',
  'مستشفى',
  '臓器センター',
  'می‌خواهم',
  '👩‍⚕️ Clinic',
  'n'.repeat(200),
])('the honest name %j is stored as it is', async (name) => {
  expect((await create({ name })).name).toBe(name);
});

describe.each([
  'Clinic: ada@clinic.example, bob@clinic.example;',
  'undisclosed:;',
  'ada@clinic.example, bob@clinic.example',
  'ada@clinic.example;bob@clinic.example',
  'ada@clinic.example bob@clinic.example',
  'Ada <ada@clinic.example>',
  '<ada@clinic.example>',
  'ada(comment)@clinic.example',
  'ada@clinic.example(comment)',
  '"ada lovelace"@clinic.example',
  '"a\\"b"@clinic.example',
  'ada@clinic.example\n',
  'ada\r\nBcc: bob@clinic.example',
  'ada\u0000@clinic.example',
  'ada@clinic\u001b.example',
  'ada@clinic\u00ad.example',
  'ada@[192.0.2.1]',
  'ada@192.0.2.1',
  'ada@0x7f.1',
  'ada@clinic..example',
  'ada@.example',
  'ada@-clinic.example',
  'ada@clinic.example.',
  'ada@clinic_b.example',
  'ada@clinic%2eexample',
  '.ada@clinic.example',
  'ada..b@clinic.example',
  'ada',
  '@clinic.example',
  'ada@',
  'ada@bob@clinic.example',
  `${'a'.repeat(65)}@clinic.example`,
  `ada@${'a'.repeat(64)}.example`,
])('the administrator %j', (address) => {
  test('is rejected', async () => {
    const { id } = await create({});
    const says = { message: expect.stringContaining('expected one e-mail address') };
    await expect(create({ admins: [address] })).rejects.toMatchObject(says);
    const setting = access().setAdministrators({ id, admins: ['a@b.example', address] });
    await expect(setting).rejects.toMatchObject(says);
  });
});

test.each(['müller@example.org', '管理@example.org', 'müller@müller.example'])(
  'the administrator %j, whom a mail server may not reach, is rejected with the reason',
  async (address) => {
    await expect(create({ admins: [address] })).rejects.toMatchObject({
      message: expect.stringContaining('use an address in ASCII'),
    });
  },
);

test.each([
  ['ada@clinic.example', 'ada@clinic.example'],
  ['Ada.Lovelace+alerts@Clinic.Example', 'Ada.Lovelace+alerts@clinic.example'],
  ["o'neill_b-c@sub.clinic-7.example", "o'neill_b-c@sub.clinic-7.example"],
  ['root@mailhost', 'root@mailhost'],
  ['ada@müller.example', 'ada@xn--mller-kva.example'],
  ['ada@臓器.example', 'ada@xn--m7r532h.example'],
])('the honest administrator %j is stored as %j', async (address, stored) => {
  expect((await create({ admins: [address, address] })).admins).toEqual([stored]);
});
