import type { Endpoint } from '@pto/proto/webhooks/v1/webhooks';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { clients } from '../../calls/clients.ts';
import { useCommandIds, type WithCommandId } from '../../calls/use-command-ids.ts';
import { useMay } from '../../parts/me.ts';
import { SecretWindow } from '../../parts/secret-window.tsx';
import { type Step, StepButtons } from '../../parts/step-buttons.tsx';
import { Recover } from './recover.tsx';
import { Rotate } from './rotate.tsx';

/** What an operator can do with an endpoint; `act` returns the result in words. */
interface EndpointStep extends Omit<Step, 'act'> {
  /** As in proto/callers.ts. */
  readonly roles: readonly string[];
  readonly act: (id: string, withCommandId: WithCommandId) => Promise<string>;
}

const checks: readonly EndpointStep[] = [
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

const disable: EndpointStep = {
  name: 'Disable',
  roles: ['dispatcher', 'admin'],
  isDangerous: true,
  text: 'Nothing is delivered until the endpoint is enabled again. Its queued deliveries end.',
  act: async (id) => {
    await clients.deliveries.setEndpointDisabled({ id, disabled: true });
    return 'Disabled.';
  },
};

const enable: EndpointStep = {
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
  const [isRecovering, setRecovering] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState('');
  const [result, setResult] = useState('');
  const offered = [...checks, disabled ? enable : disable].filter(({ roles }) => may(...roles));
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  return (
    <>
      <StepButtons
        steps={offered.map(({ act, ...step }) => ({ ...step, act: () => act(id, withCommandId) }))}
        result={result}
        onResult={setResult}
        changed={changed}
      >
        {may('dispatcher') && !disabled && (
          <button type="button" className="quiet" onClick={() => setRecovering(true)}>
            Recover
          </button>
        )}
        {may('admin') && (
          <button type="button" className="quiet" onClick={() => setRotating(true)}>
            Rotate the secret
          </button>
        )}
      </StepButtons>
      {isRotating && (
        <Rotate
          id={id}
          onClose={() => setRotating(false)}
          onDone={async (rotated, previousExpiresAt) => {
            setSecret(rotated);
            setResult(`The secret was rotated. The one before signs until ${previousExpiresAt}.`);
            await changed();
          }}
        />
      )}
      <SecretWindow
        title="The new secret"
        text="Hand it to the partner now. Nobody can read it again."
        secret={secret}
        onClose={() => setSecret('')}
      />
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
