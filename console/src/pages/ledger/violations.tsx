import { type Violation, ViolationState } from '@pto/proto/orders/v1/violations';
import { useState } from 'react';
import { useOrderName } from '../../board/use-order-name.ts';
import { clients } from '../../calls/clients.ts';
import { useCall } from '../../calls/use-call.ts';
import { AddressSelect } from '../../parts/address-select.tsx';
import { LinkedText } from '../../parts/linked-text.tsx';
import { useMay } from '../../parts/me.ts';
import { Pages, usePageId } from '../../parts/pages.tsx';
import { QuietButton } from '../../parts/quiet-button.tsx';
import { type Column, Table } from '../../parts/table.tsx';
import { Text } from '../../parts/text.tsx';
import { Time } from '../../parts/time.tsx';
import { useAddress } from '../../parts/use-address.ts';
import { Field, FormWindow } from '../../parts/window.tsx';

const pageSize = 50;
const states = {
  open: ViolationState.OPEN,
  acknowledged: ViolationState.ACKNOWLEDGED,
  resolved: ViolationState.RESOLVED,
} as const;

/** The integrity violations that the auditor found; an auditor acknowledges them. */
export const Violations = () => {
  const may = useMay();
  const address = useAddress();
  const pageToken = usePageId();
  const [acknowledging, setAcknowledging] = useState<Violation>();
  const shown = address.get('state');
  const state = shown in states ? states[shown as keyof typeof states] : ViolationState.UNSPECIFIED;
  const query = useCall(
    ['violations', state, pageToken],
    () => clients.violations.listViolations({ state, pageToken, pageSize }),
    { enabled: may('support', 'admin', 'auditor') },
  );
  const nameOf = useOrderName();
  const columns: readonly Column<Violation>[] = [
    ['What', ({ reason }) => reason],
    [
      'Order',
      ({ orderId }) =>
        orderId === '' ? (
          'the log'
        ) : (
          <LinkedText of={nameOf(orderId)} at={`/orders/${orderId}`} className="order" />
        ),
    ],
    ['Found', ({ foundAt }) => <Time at={foundAt} />, 'named'],
    ['Last seen', ({ lastFoundAt }) => <Time at={lastFoundAt} />, 'named'],
    [
      'State',
      (violation) =>
        violation.acknowledgment
          ? `acknowledged by ${violation.acknowledgment.operator}: ${violation.acknowledgment.reason}`
          : (ViolationState[violation.state] ?? '').toLowerCase(),
      'state',
    ],
    [
      'Actions',
      (violation) =>
        violation.state === ViolationState.OPEN &&
        may('auditor') && (
          <QuietButton onClick={() => setAcknowledging(violation)}>Acknowledge</QuietButton>
        ),
    ],
  ];
  return (
    <section aria-label="Violations">
      <div className="bar">
        <h2>Violations</h2>
        <AddressSelect
          name="state"
          label="State"
          options={[['', 'Unresolved'], ...Object.keys(states).map((one) => [one, one] as const)]}
        />
      </div>
      {may('support', 'admin', 'auditor') ? (
        <>
          <Table
            query={query}
            rows={({ violations }) => violations}
            columns={columns}
            caption="Violations"
            empty={`No violation is ${shown in states ? shown : 'unresolved'}.`}
          />
          <Pages next={query.data?.nextPageToken} />
        </>
      ) : (
        <p className="empty">Violations need the role support, admin or auditor.</p>
      )}
      {acknowledging && (
        <FormWindow
          title="Acknowledge the violation"
          verb="Acknowledge"
          onClose={() => setAcknowledging(undefined)}
          changes={[['violations']]}
          submit={(fields) =>
            clients.violations.acknowledgeViolations({
              id: acknowledging.id,
              reason: `${fields.get('reason')}`,
            })
          }
        >
          <p>
            <Text of={acknowledging.reason} />
          </p>
          <Field
            label="Reason"
            name="reason"
            maxLength={500}
            hint="What was found out. It does not alert again."
            required
          />
        </FormWindow>
      )}
    </section>
  );
};
