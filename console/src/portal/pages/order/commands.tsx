import { orderCommands } from '@pto/proto/order-commands';
import { useState } from 'react';
import { QuietButton } from '../../../parts/quiet-button.tsx';
import type { Schemas } from '../../../parts/schemas.ts';
import { shortId } from '../../../parts/short-id.ts';
import { visibleText } from '../../../parts/visible-text.ts';
import { Confirm, Field, FormWindow } from '../../../parts/window.tsx';
import { t } from '../../../parts/words.ts';
import { command } from '../../api.ts';
import { usePermitted } from '../../session.ts';

const { change, fields } = orderCommands.cancel;
const cancellable: readonly string[] = change.from;
const [{ max: reasonMax }] = fields;

/** What a partner can do with an order (contract 4.5; decision 8). Both can be sent again safely. */
export const OrderCommands = ({
  order: { id, status, external_id },
}: {
  order: Schemas['Order'];
}) => {
  const { changesOrders } = usePermitted();
  const [open, setOpen] = useState<'submit' | 'cancel'>();
  // an open dialog stays, with its text and its error, when the order changes meanwhile
  if (!changesOrders || (!cancellable.includes(status) && !open)) return null;
  const name = visibleText(external_id ?? shortId(id));
  const close = () => setOpen(undefined);
  const send = (verb: string, body?: object) => command('POST', `/orders/${id}/${verb}`, body);
  const changes = [['order', id]];
  return (
    <section aria-label={t('What can be done')} className="actions start">
      {status === 'DRAFT' && (
        <button type="button" onClick={() => setOpen('submit')}>
          {t('Submit')}
        </button>
      )}
      <QuietButton onClick={() => setOpen('cancel')}>{t('Cancel the order')}</QuietButton>
      {open === 'submit' && (
        <Confirm
          title={`${t('Submit')}: ${name}`}
          text={t('The order is dispatched.')}
          {...{ changes }}
          onClose={close}
          actions={{ Submit: () => send('submit') }}
        />
      )}
      {open === 'cancel' && (
        <FormWindow
          title={`${t('Cancel')}: ${name}`}
          verb="Cancel the order"
          isRepeatable
          isDangerous
          {...{ changes }}
          onClose={close}
          submit={(fields) => send('cancel', { reason: fields.get('reason') })}
        >
          <Field label="Reason" name="reason" maxLength={reasonMax} required />
          <p className="faint">{t('A cancelled order cannot be opened again.')}</p>
        </FormWindow>
      )}
    </section>
  );
};
