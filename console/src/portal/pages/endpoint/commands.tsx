import { useState } from 'react';
import { SecretWindow } from '../../../parts/secret-window.tsx';
import { StepButtons } from '../../../parts/step-buttons.tsx';
import { Field, FormWindow } from '../../../parts/window.tsx';
import { command, type Schemas } from '../../api.ts';

type Endpoint = Schemas['WebhookEndpoint'];

const titles = {
  test: 'Test',
  verify: 'Verify',
  disable: 'Disable',
  enable: 'Enable',
  rotate: 'Rotate the secret',
} as const;
type Step = keyof typeof titles;

const texts: Readonly<Record<Step, string>> = {
  test: 'A signed test request is sent to the endpoint now.',
  verify: 'The handshake is repeated. If it passes, deliveries go on.',
  disable: 'No event is delivered or queued until the endpoint is enabled again.',
  enable: 'Deliveries go on from now. Recover sends what was missed.',
  rotate: 'A new signing secret is shown once. Deliveries are signed with both for 24 h.',
};

/** What a partner can do with an endpoint (contract 4.9). */
export const EndpointCommands = ({
  endpoint: { id, disabled },
  changed,
}: {
  endpoint: Endpoint;
  changed: () => Promise<unknown>;
}) => {
  const [isRecovering, setRecovering] = useState(false);
  const [result, setResult] = useState('');
  const [secret, setSecret] = useState('');
  const path = `/webhooks/${id}`;
  const acts: Readonly<Record<Step, () => Promise<string>>> = {
    test: async () => {
      const of = await command<Schemas['TestResult']>('POST', `${path}/test`);
      const answer = of.status_code ?? of.error;
      return of.delivered ? `Delivered: ${answer}.` : `Not delivered: ${answer}.`;
    },
    verify: async () => {
      const of = await command<Schemas['VerifyResult']>('POST', `${path}/verify`);
      return of.verified
        ? 'The handshake passed.'
        : `The handshake failed: ${of.handshake?.reason}.`;
    },
    disable: async () => {
      await command('PATCH', path, { disabled: true });
      return 'Disabled.';
    },
    enable: async () => {
      await command('PATCH', path, { disabled: false });
      return 'Enabled.';
    },
    rotate: async () => {
      setSecret(
        (await command<Schemas['RotatedSecret']>('POST', `${path}/secret/rotate`, {})).secret,
      );
      return 'The secret was rotated.';
    },
  };
  const recover = async (fields: FormData) => {
    const since = new Date(`${fields.get('since')}Z`).toISOString();
    const include_pending = fields.has('pending');
    let [queued, retried] = [0, 0];
    for (let from: string | null = since; from; ) {
      const span = { since: from, include_pending };
      const part: Schemas['Recovery'] = await command('POST', `${path}/recover`, span);
      queued += part.queued;
      retried += part.retried;
      from = part.next_since ?? null;
    }
    const events = `${queued} ${queued === 1 ? 'event is' : 'events are'} queued`;
    setResult(include_pending ? `${events}, ${retried} pending attempted.` : `${events}.`);
    await changed();
  };
  return (
    <>
      <StepButtons
        steps={(['test', 'verify', disabled ? 'enable' : 'disable', 'rotate'] as const).map(
          (one) => ({
            name: titles[one],
            text: texts[one],
            isDangerous: one === 'disable',
            act: acts[one],
          }),
        )}
        result={result}
        onResult={setResult}
        changed={changed}
      >
        <button type="button" className="quiet" onClick={() => setRecovering(true)}>
          Recover
        </button>
      </StepButtons>
      <FormWindow
        title="Recover missed events"
        verb="Recover"
        isRepeatable
        open={isRecovering}
        onClose={() => setRecovering(false)}
        submit={recover}
      >
        <Field label="Since (UTC)" name="since" type="datetime-local" required />
        <p className="faint">
          Each event since then that was neither delivered nor is pending is sent. Repeating it
          sends nothing twice.
        </p>
        <label>
          <input type="checkbox" name="pending" /> Also attempt pending deliveries now, each time
        </label>
      </FormWindow>
      <SecretWindow
        title="The new secret"
        text="Nobody can show it again."
        secret={secret}
        onClose={() => setSecret('')}
      />
    </>
  );
};
