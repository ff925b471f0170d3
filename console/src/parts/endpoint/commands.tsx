import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { SecretWindow } from '../secret-window.tsx';
import { type Step, StepButtons } from '../step-buttons.tsx';
import { Recover } from './recover.tsx';
import { Rotate } from './rotate.tsx';
import type { EndpointParts } from './source.ts';

/** Buttons for what the person may do with an endpoint, and the last result in words. */
export const EndpointCommands = ({ source, may, endpoint: { id, disabled } }: EndpointParts) => {
  const withCommandId = useCommandIds();
  const queries = useQueryClient();
  const [isRecovering, setRecovering] = useState(false);
  const [isRotating, setRotating] = useState(false);
  const [secret, setSecret] = useState('');
  const [result, setResult] = useState('');
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  const checks: readonly Step[] = [
    {
      name: 'Test',
      text: 'A signed test request is sent to the endpoint now.',
      act: async () => {
        const of = await withCommandId('test', (commandId) => source.test(id, commandId));
        const answer = of.status_code ?? of.error;
        return of.delivered ? `Delivered: ${answer}.` : `Not delivered: ${answer}.`;
      },
    },
    {
      name: 'Verify',
      text: 'The handshake is repeated. If it passes, deliveries go on.',
      act: async () => {
        const { verified, handshake } = await source.verify(id);
        return verified ? 'The handshake passed.' : `The handshake failed: ${handshake?.reason}.`;
      },
    },
  ];
  const enabling: Step = disabled
    ? {
        name: 'Enable',
        text: 'Deliveries go on from now. Recover queues what was missed.',
        act: async () => {
          await source.setDisabled(id, false);
          return 'Enabled.';
        },
      }
    : {
        name: 'Disable',
        isDangerous: true,
        text: 'Nothing is delivered until the endpoint is enabled again. Its queued deliveries end.',
        act: async () => {
          await source.setDisabled(id, true);
          return 'Disabled.';
        },
      };
  return (
    <>
      <StepButtons
        steps={[...(may.check ? checks : []), ...(may.disable ? [enabling] : [])]}
        result={result}
        onResult={setResult}
        changed={changed}
      >
        {may.recover && !disabled && (
          <button type="button" className="quiet" onClick={() => setRecovering(true)}>
            Recover
          </button>
        )}
        {may.rotate && (
          <button type="button" className="quiet" onClick={() => setRotating(true)}>
            Rotate the secret
          </button>
        )}
      </StepButtons>
      {isRotating && (
        <Rotate
          rotate={(overlap) => source.rotate(id, overlap)}
          onClose={() => setRotating(false)}
          onDone={async (rotated) => {
            setSecret(rotated.secret);
            setResult(
              `The secret was rotated. The one before signs until ${rotated.previous_expires_at}.`,
            );
            await changed();
          }}
        />
      )}
      <SecretWindow
        title="The new secret"
        text={source.secretText}
        secret={secret}
        onClose={() => setSecret('')}
      />
      {isRecovering && (
        <Recover
          recover={(span) => source.recover(id, span)}
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
