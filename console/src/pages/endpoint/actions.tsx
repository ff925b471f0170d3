import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCommandIds, type WithCommandId } from '../../calls/use-command-ids.ts';
import { useMay } from '../../parts/me.ts';
import { Confirm } from '../../parts/window.tsx';
import { Recover } from './recover.tsx';

/** What an operator can do with an endpoint; `act` returns the result in words. */
interface Step {
  readonly name: string;
  /** As in proto/callers.ts. */
  readonly roles: readonly string[];
  readonly text: string;
  readonly act: (id: string, withCommandId: WithCommandId) => Promise<string>;
}

const checks: readonly Step[] = [
  {
    name: 'Test',
    roles: ['support', 'dispatcher'],
    text: 'A signed test request is sent to the endpoint now.',
    act: async (id, withCommandId) => {
      const { delivered, statusCode, error } = await withCommandId('test', (commandId) =>
        clients.deliveries.sendTest({ id, commandId }),
      );
      return delivered ? `Delivered: ${statusCode}.` : `Not delivered: ${statusCode ?? error}.`;
    },
  },
  {
    name: 'Verify',
    roles: ['support', 'dispatcher'],
    text: 'The handshake is repeated. If it passes, deliveries go on.',
    act: async (id) => {
      const { verified, handshake } = await clients.deliveries.repeatHandshake({ id });
      return verified ? 'The handshake passed.' : `The handshake failed: ${handshake?.reason}.`;
    },
  },
];

const disable: Step = {
  name: 'Disable',
  roles: ['dispatcher', 'admin'],
  text: 'Nothing is delivered until the endpoint is enabled again. Its queued deliveries end.',
  act: async (id) => {
    await clients.deliveries.setEndpointDisabled({ id, disabled: true });
    return 'Disabled.';
  },
};

const enable: Step = {
  name: 'Enable',
  roles: ['dispatcher', 'admin'],
  text: 'Deliveries go on from now. Recover queues what was missed.',
  act: async (id) => {
    await clients.deliveries.setEndpointDisabled({ id, disabled: false });
    return 'Enabled.';
  },
};

/** Buttons for what the operator's roles permit on an endpoint, and the last result. */
export const EndpointActions = ({ endpoint: { id, disabled } }: { endpoint: Endpoint }) => {
  const may = useMay();
  const withCommandId = useCommandIds();
  const queries = useQueryClient();
  const [step, setStep] = useState<Step>();
  const [isRecovering, setRecovering] = useState(false);
  const [result, setResult] = useState('');
  const offered = [...checks, disabled ? enable : disable].filter(({ roles }) => may(...roles));
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  return (
    <>
      <div className="actions start">
        {offered.map((one) => (
          <button key={one.name} type="button" className="quiet" onClick={() => setStep(one)}>
            {one.name}
          </button>
        ))}
        {may('dispatcher') && !disabled && (
          <button type="button" className="quiet" onClick={() => setRecovering(true)}>
            Recover
          </button>
        )}
      </div>
      {result !== '' && <p role="status">{result}</p>}
      {step && (
        <Confirm
          title={step.name}
          text={step.text}
          open
          onClose={() => setStep(undefined)}
          actions={[
            [
              step.name,
              async () => {
                setResult(await step.act(id, withCommandId));
                await changed();
              },
            ],
          ]}
        />
      )}
      {isRecovering && (
        <Recover
          id={id}
          sinceMs={Date.now() - 86_400_000}
          onClose={() => setRecovering(false)}
          onDone={async (queued) => {
            setResult(queued);
            await changed();
          }}
        />
      )}
    </>
  );
};
