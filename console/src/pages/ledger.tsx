import { type Violation, ViolationState } from '@pto/proto/orders/v1/violations';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { clients } from '../calls/clients.ts';
import { useCall } from '../calls/use-call.ts';
import { useMay } from '../parts/me.ts';
import { Measurements } from '../parts/measurements.tsx';
import { shortId } from '../parts/short-id.ts';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Field, FormWindow } from '../parts/window.tsx';

/** The ledger's state, and the integrity violations that the auditor found. */
export const LedgerPage = () => {
  const may = useMay();
  const queries = useQueryClient();
  const [acknowledging, setAcknowledging] = useState<Violation>();
  const query = useCall(['violations'], () => clients.violations.listViolations({}), {
    enabled: may('support', 'admin', 'auditor'),
  });
  const acknowledge = async (violation: Violation, fields: FormData) => {
    await clients.violations.acknowledgeViolations({
      id: violation.id,
      reason: fields.get('reason')!.toString(),
    });
    await queries.invalidateQueries({ queryKey: ['violations'] });
  };
  const columns: readonly Column<Violation>[] = [
    ['What', ({ reason }) => reason],
    [
      'Order',
      ({ orderId }) =>
        orderId === '' ? 'the log' : <Link href={`/orders/${orderId}`}>{shortId(orderId)}</Link>,
    ],
    ['Found', ({ foundAt }) => <Time at={foundAt} />],
    ['Last seen', ({ lastFoundAt }) => <Time at={lastFoundAt} />],
    [
      'State',
      (violation) =>
        violation.acknowledgment
          ? `acknowledged by ${violation.acknowledgment.operator}`
          : (ViolationState[violation.state] ?? '').toLowerCase(),
    ],
    [
      'Do',
      (violation) =>
        violation.state === ViolationState.OPEN &&
        may('auditor') && (
          <button type="button" className="quiet" onClick={() => setAcknowledging(violation)}>
            Acknowledge
          </button>
        ),
    ],
  ];
  return (
    <>
      <h1>Ledger</h1>
      <Measurements of={['custody', 'orders']} matching={/^custody_/} />
      <h2>Violations</h2>
      {may('support', 'admin', 'auditor') ? (
        <Table
          query={query}
          rows={({ violations }) => violations}
          id={({ id }) => id}
          columns={columns}
          caption="Violations"
          empty="The auditor found no violation."
        />
      ) : (
        <p className="empty">Violations need the role support, admin or auditor.</p>
      )}
      {acknowledging && (
        <FormWindow
          title="Acknowledge the violation"
          verb="Acknowledge"
          open
          onClose={() => setAcknowledging(undefined)}
          submit={(fields) => acknowledge(acknowledging, fields)}
        >
          <p>{acknowledging.reason}</p>
          <Field label="Reason" name="reason" maxLength={500} required />
        </FormWindow>
      )}
    </>
  );
};
