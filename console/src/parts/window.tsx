import { Dialog } from '@base-ui/react/dialog';
import { type FormEvent, type ReactNode, useId } from 'react';
import { failureOf } from '../calls/failure.ts';
import { Text } from './text.tsx';
import { useCommand } from './use-command.ts';
import { useReturnedFocus } from './use-returned-focus.ts';
import { t } from './words.ts';

/**
 * A dialog over the page. Escape and its last button close it, unless it is busy; a click outside
 * does not, so that no text and no key is lost.
 */
export const Window = ({
  title,
  onClose,
  isBusy = false,
  closing = 'Close',
  children,
}: {
  title: string;
  onClose: () => void;
  isBusy?: boolean;
  /** The words of the button that closes it; null: the dialog has buttons of its own. */
  closing?: string | null;
  children: ReactNode;
}) => (
  <Dialog.Root
    open
    disablePointerDismissal
    onOpenChange={(isOpen) => !isOpen && !isBusy && onClose()}
  >
    <Dialog.Portal>
      <Dialog.Backdrop className="backdrop" />
      <Dialog.Popup className="window" {...useReturnedFocus()}>
        <Dialog.Title>
          <Text of={title} />
        </Dialog.Title>
        {children}
        {closing !== null && (
          <div className="actions">
            <button type="button" className="quiet" onClick={onClose}>
              {t(closing)}
            </button>
          </div>
        )}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);

/**
 * A question with a button for each answer. A failed action keeps the dialog open, with the reason.
 * @param isDangerous whether what the buttons do ends something.
 * @param isRepeatable whether a second press of a button has no second effect.
 */
export const Confirm = ({
  title,
  text,
  onClose,
  actions,
  isRepeatable = false,
  isDangerous = false,
}: {
  title: string;
  text: string;
  onClose: () => void;
  isRepeatable?: boolean;
  isDangerous?: boolean;
  /** By the words of their buttons. */
  actions: Readonly<Record<string, () => Promise<unknown>>>;
}) => {
  const { error, isBusy, run } = useCommand(onClose);
  return (
    <Window title={title} onClose={onClose} isBusy={isBusy} closing={null}>
      <p>
        <Text of={text} />
      </p>
      {error !== undefined && <ErrorLine error={error} isRepeatable={isRepeatable} />}
      <div className="actions">
        <button type="button" className="quiet" onClick={onClose} disabled={isBusy}>
          {t('Back')}
        </button>
        {Object.entries(actions).map(([name, act]) => (
          <button
            key={name}
            type="button"
            className={isDangerous ? 'danger' : ''}
            disabled={isBusy}
            onClick={() => run(act)}
          >
            {t(name)}
          </button>
        ))}
      </div>
    </Window>
  );
};

/**
 * A form in a dialog.
 * @param submit sends the fields by their names; a failure is shown.
 * @param isRepeatable whether a second submission of the same fields has no second effect.
 * @param isDangerous whether the submission ends something.
 */
export const FormWindow = ({
  title,
  verb,
  onClose,
  submit,
  isRepeatable = false,
  isDangerous = false,
  children,
}: {
  title: string;
  verb: string;
  onClose: () => void;
  submit: (fields: FormData) => Promise<unknown>;
  isRepeatable?: boolean;
  isDangerous?: boolean;
  children: ReactNode;
}) => {
  const { error, isBusy, run } = useCommand(onClose);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void run(() => submit(fields));
  };
  return (
    <Window title={title} onClose={onClose} isBusy={isBusy} closing={null}>
      <form onSubmit={send}>
        {children}
        {error !== undefined && <ErrorLine error={error} isRepeatable={isRepeatable} />}
        <div className="actions">
          <button type="button" className="quiet" onClick={onClose} disabled={isBusy}>
            {t('Back')}
          </button>
          <button type="submit" className={isDangerous ? 'danger' : ''} disabled={isBusy}>
            {t(isBusy ? 'Wait …' : verb)}
          </button>
        </div>
      </form>
    </Window>
  );
};

/** Why a command failed. Without an answer it may have been done. */
const ErrorLine = ({ error, isRepeatable = false }: { error: unknown; isRepeatable?: boolean }) => {
  const { kind, message, isOpen } = failureOf(error);
  const advice = isRepeatable
    ? 'Press again: it is done once.'
    : 'Close this and look before you try again.';
  return (
    <p className="error" role="alert">
      {isOpen
        ? `${t('No answer. It may have been done.')} ${t(advice)}`
        : kind === 'IDEMPOTENCY_KEY_REUSED'
          ? t(
              'The command that got no answer has been done, with other fields. Close this and look.',
            )
          : message}
    </p>
  );
};

/** A labelled field of several lines. */
export const LongField = ({
  label,
  ...input
}: { label: string; name: string } & React.TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{t(label)}</span>
    <textarea rows={4} {...input} />
  </label>
);

/** A labelled field of a form. @param suggestions values that the browser offers. */
export const Field = ({
  label,
  hint,
  suggestions = [],
  ...input
}: {
  label: string;
  hint?: string;
  name: string;
  suggestions?: readonly string[];
} & React.InputHTMLAttributes<HTMLInputElement>) => {
  const id = useId();
  return (
    <label className="field">
      <span>{t(label)}</span>
      {/* not blank: at least one character that is no space */}
      <input
        autoComplete="off"
        {...(input.required && { pattern: '.*\\S.*' })}
        {...(suggestions.length > 0 && { list: id })}
        {...input}
      />
      {suggestions.length > 0 && (
        <datalist id={id}>
          {suggestions.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
      {hint && <small>{t(hint)}</small>}
    </label>
  );
};
