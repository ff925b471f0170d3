import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useCommandIds } from '../../calls/use-command-ids.ts';
import { SecretWindow } from '../secret-window.tsx';
import { type Step, StepButtons } from '../step-buttons.tsx';
import { t } from '../words.ts';
import { ExampleWindow } from './catalog.tsx';
import { EndpointForm } from './form.tsx';
import { handshakeKey } from './handshake.tsx';
import { Recover } from './recover.tsx';
import { Rotate } from './rotate.tsx';
import type { EndpointParts } from './source.ts';

/** What the person may do with an endpoint: trying it first, what ends it last; and the last result in words. */
export const EndpointCommands = ({ source, may, endpoint }: EndpointParts) => {
  const { id, disabled } = endpoint;
  const withCommandId = useCommandIds();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [opened, setOpened] = useState<'recover' | 'rotate' | 'change' | 'example'>();
  const close = () => setOpened(undefined);
  const [secret, setSecret] = useState('');
  const [result, setResult] = useState('');
  const changed = () => queries.invalidateQueries({ queryKey: ['endpoint', id] });
  const test: Step = {
    name: 'Test',
    text: 'A signed test request is sent to the endpoint now.',
    act: async () => {
      const of = await withCommandId('test', (commandId) => source.test(id, commandId));
      const answer = `${of.status_code ?? of.error}`;
      return t(of.delivered ? 'Delivered: {answer}.' : 'Not delivered: {answer}.', { answer });
    },
  };
  const example: Step = { name: 'Send an example', text: '', open: () => setOpened('example') };
  const change: Step = {
    name: 'Change',
    text: 'The URL and the events.',
    open: () => setOpened('change'),
  };
  const verify: Step = {
    name: 'Verify',
    text: 'The handshake is repeated. If it passes, deliveries go on.',
    act: async () => {
      const { verified, handshake } = await source.verify(id);
      queries.setQueryData(handshakeKey(id), handshake);
      return verified ? t('Verified.') : t('Not verified.');
    },
  };
  const recover: Step = {
    name: 'Recover',
    text: 'What was missed between two times is sent again.',
    open: () => setOpened('recover'),
  };
  const rotate: Step = {
    name: 'Rotate the secret',
    text: 'A new signing secret is shown once. The current one signs for a while, too.',
    open: () => setOpened('rotate'),
  };
  const enable: Step = {
    name: 'Enable',
    text: 'Deliveries go on from now. Recover queues what was missed.',
    act: async () => {
      await source.setDisabled(id, false);
      return t('Enabled.');
    },
  };
  const disable: Step = {
    name: 'Disable',
    isDangerous: true,
    text: 'Nothing is delivered until the endpoint is enabled again. Its queued deliveries end.',
    act: async () => {
      await source.setDisabled(id, true);
      return t('Disabled.');
    },
  };
  const deletion: Step = {
    name: 'Delete',
    isDangerous: true,
    text: 'Nothing is sent to it any more, and its secret ends. Its deliveries stay visible on their orders for 30 days.',
    act: async () => {
      await source.remove!(id);
      navigate('/endpoints');
      return '';
    },
  };
  const permitted = (...steps: readonly (readonly [Step, unknown])[]) =>
    steps.filter(([, is]) => is).map(([step]) => step);
  return (
    <>
      <StepButtons
        steps={permitted(
          [test, may.check],
          [example, may.check && source.sendExample],
          [enable, may.disable && disabled],
        )}
        more={permitted(
          [change, may.change],
          [verify, may.check],
          [recover, may.recover && !disabled],
          [rotate, may.rotate],
          [disable, may.disable && !disabled],
          [deletion, may.remove],
        )}
        result={result}
        onResult={setResult}
        changed={changed}
      />
      {opened === 'change' && (
        <EndpointForm
          title={t('Change the endpoint')}
          verb="Save"
          given={endpoint}
          onClose={close}
          submit={async (fields) => {
            const { handshake } = await source.change!(id, fields);
            if (handshake) queries.setQueryData(handshakeKey(id), handshake);
            setResult(t('Changed.'));
            await changed();
          }}
        />
      )}
      {opened === 'example' && (
        <ExampleWindow send={(event) => source.sendExample!(id, event)} onClose={close} />
      )}
      {opened === 'rotate' && (
        <Rotate
          rotate={(overlap) => source.rotate(id, overlap)}
          onClose={close}
          onDone={async (rotated) => {
            setSecret(rotated.secret);
            setResult(
              t('The secret was rotated. The one before signs until {time}.', {
                time: rotated.previous_expires_at,
              }),
            );
            await changed();
          }}
        />
      )}
      <SecretWindow
        title={t('The new secret')}
        text={source.secretText}
        secret={secret}
        onClose={() => setSecret('')}
      />
      {opened === 'recover' && (
        <Recover
          recover={(span) => source.recover(id, span)}
          sinceMs={Date.now() - 86_400_000}
          onClose={close}
          onDone={async (queued) => {
            setResult(queued);
            await changed();
          }}
        />
      )}
    </>
  );
};
