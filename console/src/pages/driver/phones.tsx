import type { Device } from '@pto/proto/operators/v1/drivers';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { useMay } from '../../parts/me.ts';
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
  const queries = useQueryClient();
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
          <button type="button" className="quiet danger" onClick={() => setAsking(device)}>
            Revoke
          </button>
        ),
    ],
  ];
  return (
    <section aria-label="Phones">
      <div className="bar">
        <h2>Phones</h2>
        {mayKeep && isActive && (
          <button type="button" className="quiet" onClick={() => setAsking('link')}>
            Create a link for a phone
          </button>
        )}
      </div>
      <Table
        query={query}
        rows={(all) => all}
        id={({ id }) => id}
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
          onClose={() => setAsking(undefined)}
          actions={{
            Revoke: async () => {
              await clients.drivers.revokeDevice({ id: asking.id });
              await queries.invalidateQueries({ queryKey: name });
            },
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
