import type { Carrier, Driver } from '@pto/proto/operators/v1/carriers';
import { clients } from '../../calls/clients.ts';
import { nameMax, recordsKey } from '../../parts/carriers.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field, FormWindow } from '../../parts/window.tsx';

/** A record that is made or changed. */
export type Edited =
  | { readonly carrier: Carrier | undefined }
  /** A driver of a carrier. */
  | { readonly driver: Driver | undefined; readonly of: Carrier };

/** Makes a carrier or a driver, or changes it. @param drivers how many active ones the carrier has. */
export const RecordWindow = ({
  edited,
  drivers,
  onClose,
}: {
  edited: Edited;
  drivers: number;
  onClose: () => void;
}) => {
  const record = 'of' in edited ? edited.driver : edited.carrier;
  const what = 'of' in edited ? `driver of ${edited.of.name}` : 'carrier';
  const submit = async (form: FormData) => {
    const [name, telephone] = [`${form.get('name')}`, `${form.get('telephone')}`];
    const changed = {
      id: record?.id ?? '',
      name,
      telephone,
      active: form.get('state') === 'active',
    };
    const { carriers } = clients;
    if ('of' in edited)
      await (record
        ? carriers.updateDriver(changed)
        : carriers.createDriver({ carrierId: edited.of.id, name, telephone }));
    else
      await (record
        ? carriers.updateCarrier(changed)
        : carriers.createCarrier({ name, telephone }));
  };
  return (
    <FormWindow
      title={`${record ? 'Change the' : 'Add a'} ${what}`}
      verb={record ? 'Change' : 'Add'}
      onClose={onClose}
      changes={[recordsKey]}
      submit={submit}
    >
      <Field label="Name" name="name" maxLength={nameMax} required defaultValue={record?.name} />
      <Field
        label="Telephone"
        name="telephone"
        type="tel"
        maxLength={50}
        defaultValue={record?.telephone}
      />
      {record && (
        <Choice
          label="State"
          name="state"
          defaultValue={record.active ? 'active' : 'inactive'}
          options={[
            ['active', 'active'],
            ['inactive', 'inactive'],
          ]}
          hint={
            'of' in edited
              ? 'No order can be assigned to an inactive driver. Those that a driver has stay.'
              : `No order can be assigned to an inactive carrier and its drivers (${drivers} active). Those that they have stay theirs.`
          }
        />
      )}
    </FormWindow>
  );
};
