import type { Device } from '@pto/proto/operators/v1/drivers';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { useMay } from '../../parts/me.ts';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { Confirm } from '../../parts/window.tsx';

/**
 * The phones of a driver (decisions 84 and 85): a link binds one, and a lost one is revoked.
 * @param isActive whether driver and carrier are: no link opens otherwise.
 */
export const Phones = ({ driverId, isActive }: { driverId: string; isActive: boolean }) => {
  const mayKeep = useMay()('dispatcher', 'admin', 'carrier');
  const [url, setUrl] = useState('');
  const [asking, setAsking] = useState<'link' | Device>();
  const name = ['devices', driverId];
  const query = useCall(
    name,
    async () => (await clients.drivers.listDevices({ driverId })).devices,
  );
  const columns: readonly Column<Device>[] = [
    ['Bound', ({ boundAt }) => <Time at={boundAt} />, 'named'],
    [
      'Shift until',
      ({ sessionUntil }) => (sessionUntil ? <Time at={sessionUntil} /> : 'no shift'),
      'named',
    ],
    [
      'Revoked',
      ({ revokedFrom }) => (revokedFrom ? <Time at={revokedFrom} /> : 'not revoked'),
      'named',
    ],
    [
      'Actions',
      (device) =>
        mayKeep &&
        device.revokedAt === '' && (
          <QuietButton className="danger" onClick={() => setAsking(device)}>
            Revoke
          </QuietButton>
        ),
    ],
  ];
  return (
    <section aria-label="Phones">
      <div className="bar">
        <h2>Phones</h2>
        {mayKeep && isActive && (
          <QuietButton onClick={() => setAsking('link')}>Create a link for a phone</QuietButton>
        )}
      </div>
      <Table
        query={query}
        rows={(all) => all}
        columns={columns}
        caption="Phones of the driver"
        empty="No phone is bound to the driver."
      />
      {asking === 'link' && (
        <Confirm
          title="Create a link for a phone"
          text="It opens the driver's page once, on one phone, for a shift of at most 14 hours. A link that was not opened ends."
          onClose={() => setAsking(undefined)}
          actions={{
            Create: async () => setUrl((await clients.drivers.createDriverLink({ driverId })).url),
          }}
        />
      )}
      {asking && asking !== 'link' && (
        <Confirm
          title="Revoke the phone"
          text="Its shift ends with its next call, and verifiers name what it records from now on. This cannot be undone. The command line revokes from an earlier time: operator driver revoke --from."
          isRepeatable
          isDangerous
          changes={[name]}
          onClose={() => setAsking(undefined)}
          actions={{
            Revoke: () => clients.drivers.revokeDevice({ id: asking.id }),
          }}
        />
      )}
      <SecretWindow
        title="The new link"
        text="The driver's phone scans it, or opens it from a message within 12 hours. Nobody can read it again."
        secret={url}
        qr="QR code of the link"
        onClose={() => setUrl('')}
      />
    </section>
  );
};
