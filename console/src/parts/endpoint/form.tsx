import { useState } from 'react';
import type { Schemas } from '../schemas.ts';
import { Field, FormWindow } from '../window.tsx';
import { EventFilter, filterOf } from './catalog.tsx';
import { HandshakeSteps } from './handshake.tsx';

/** What a person writes of an endpoint. */
export type EndpointFields = Required<Schemas['WebhookEndpointCreate']>;

/** The form of a new or changed endpoint. A new URL runs a handshake. @param given what is changed. */
export const EndpointForm = ({
  title,
  verb,
  given,
  submit,
  onClose,
}: {
  title: string;
  verb: string;
  given?: Schemas['WebhookEndpoint'];
  submit: (fields: EndpointFields) => Promise<unknown>;
  onClose: () => void;
}) => {
  const [isSent, setSent] = useState(false);
  const send = async (fields: FormData) => {
    const url = fields.get('url')!.toString();
    setSent(url !== given?.url);
    await submit({ url, event_filter: filterOf(fields) }).finally(() => setSent(false));
  };
  return (
    <FormWindow title={title} verb={verb} isRepeatable onClose={onClose} submit={send}>
      <Field
        label="URL"
        name="url"
        type="url"
        pattern="https://.+"
        maxLength={500}
        placeholder="https://"
        hint="Public, with https. We send GET with a nonce at once, which the receiver returns."
        defaultValue={given?.url}
        required
      />
      <EventFilter filter={given?.event_filter} />
      {isSent && <HandshakeSteps of={undefined} />}
    </FormWindow>
  );
};
