import { handoverStatuses } from '@pto/proto/order-commands';
import type { Order } from '@pto/proto/orders/v1/orders';
import { handoverArtifactTypes, handoverMethods, partyRoles } from '@pto/proto/vocabulary';
import { changesOf } from '../../board/use-board.ts';
import { clients } from '../../calls/clients.ts';
import { PageFailure } from '../../calls/failure.ts';
import type { WithCommandId } from '../../calls/use-command-ids.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field, FormWindow } from '../../parts/window.tsx';

const nameMax = 200;
/** A value that is shown as it is. */
const sameWords = (value: string) => [value, value] as const;

const fileMaxBytes = 5 * 1024 * 1024;

/** Returns the stages of a handover in a status, the usual one first. The service decides. */
const stagesIn = (status: string): string[] =>
  Object.entries(handoverStatuses).flatMap(([stage, statuses]) =>
    (statuses as readonly string[]).includes(status) ? [stage] : [],
  );

/** Whether a handover of an order can be recorded. */
export const canHandOver = ({ status }: Order): boolean => stagesIn(status).length > 0;

/** Returns the file of a field; undefined: none. @throws PageFailure for a file that is too large. */
const fileOf = async (fields: FormData) => {
  const file = fields.get('artifact') as File;
  if (file.size === 0) return undefined;
  if (file.size > fileMaxBytes) throw new PageFailure('The file is larger than 5 MiB.');
  return { content: new Uint8Array(await file.arrayBuffer()), mediaType: file.type };
};

/** Records who handed the goods to whom, as `operator order handover` does. */
export const HandoverWindow = ({
  order,
  withCommandId,
  onClose,
}: {
  order: Order;
  withCommandId: WithCommandId;
  onClose: () => void;
}) => {
  const submit = async (fields: FormData) => {
    const text = (name: string) => fields.get(name)!.toString().trim();
    const artifact = await fileOf(fields);
    const party = (side: string) => ({
      party: text(side),
      role: text(`${side}-role`),
      ...(text(`${side}-person`) !== '' && { person: text(`${side}-person`) }),
    });
    await withCommandId('recordHandover', (commandId) =>
      clients.orders.recordHandover({
        circumstances: { orderId: order.id, commandId },
        stage: text('stage'),
        from: party('from'),
        to: party('to'),
        methods: fields.getAll('method').map(String),
        scannedSealIds: text('seals')
          .split('\n')
          .map((seal) => seal.trim())
          .filter((seal) => seal !== ''),
        ...(artifact && { artifact }),
        ...(text('code') !== '' && { code: text('code') }),
      }),
    );
  };
  const courier = {
    usualRole: 'courier',
    party: order.transportOrganization,
    person: order.driver,
  };
  const required = requiredMethods(order);
  const isLoaded = !stagesIn(order.status).includes('pickup');
  return (
    <FormWindow
      title="Record a handover"
      verb="Record"
      isRepeatable
      onClose={onClose}
      changes={changesOf(order.id)}
      submit={submit}
    >
      <Choice label="Where" name="stage" options={stagesIn(order.status).map(sameWords)} />
      <PartyFields side="from" title="From" {...(isLoaded ? courier : { usualRole: 'shipper' })} />
      <PartyFields side="to" title="To" {...(isLoaded ? { usualRole: 'consignee' } : courier)} />
      <fieldset className="scopes">
        <legend>Confirmed by</legend>
        {handoverMethods.map((method) => (
          <label key={method}>
            <input
              type="checkbox"
              name="method"
              value={method}
              defaultChecked={required.includes(method)}
            />{' '}
            {method.replaceAll('_', ' ')}
            {required.includes(method) && ' (required)'}
          </label>
        ))}
      </fieldset>
      <Field
        label="Code"
        name="code"
        inputMode="numeric"
        hint="The four digits of the link of that side, with the method code."
      />
      <label className="field">
        <span>Scanned seals</span>
        <textarea name="seals" rows={2} autoComplete="off" />
        <small>One on each line, with the method scan.</small>
      </label>
      <Field
        label="File"
        name="artifact"
        type="file"
        accept={handoverArtifactTypes.join(',')}
        hint="The signature, picture or document: PNG, JPEG or PDF, at most 5 MiB."
      />
      <p className="faint">It is recorded in the history and cannot be undone.</p>
    </FormWindow>
  );
};

/** Returns the methods that the order requires for its usual handover now. */
const requiredMethods = ({ status, requiredEvidenceJson }: Order): readonly string[] => {
  const required = JSON.parse(requiredEvidenceJson ?? '{}') as Record<string, readonly string[]>;
  return required[stagesIn(status)[0] ?? ''] ?? [];
};

/** The fields of one side of a handover. */
const PartyFields = ({
  side,
  title,
  usualRole,
  party,
  person,
}: {
  side: string;
  title: string;
  usualRole: string;
  party?: string | undefined;
  person?: string | undefined;
}) => (
  <fieldset className="scopes">
    <legend>{title}</legend>
    <Field label="Organization" name={side} defaultValue={party} maxLength={nameMax} required />
    <Choice
      label="Role"
      name={`${side}-role`}
      defaultValue={usualRole}
      options={partyRoles.map(sameWords)}
    />
    <Field label="Person" name={`${side}-person`} defaultValue={person} maxLength={nameMax} />
  </fieldset>
);
