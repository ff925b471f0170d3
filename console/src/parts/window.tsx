import { Dialog } from '@base-ui/react/dialog';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId } from 'react';
import { failureOf } from '../calls/failure.ts';
import { QuietButton } from './quiet-button.tsx';
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
  hasButtons = false,
  children,
}: {
  title: string;
  onClose: () => void;
  isBusy?: boolean;
  /** The dialog has buttons of its own. */
  hasButtons?: boolean;
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
        {!hasButtons && (
          <div className="actions">
            <QuietButton onClick={onClose}>{t('Close')}</QuietButton>
          </div>
        )}
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);

/** Names of calls, as `useCall` has them, that are read again when the command is done. */
type Changes = readonly (readonly unknown[])[] | undefined;

const useChange = (onClose: () => void, changes: Changes = []) => {
  const queries = useQueryClient();
  const { run, ...state } = useCommand(onClose);
  const change = (command: () => Promise<unknown>) =>
    run(async () => {
      await command();
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
    });
  return { ...state, run: change };
};

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
  changes,
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
  changes?: Changes;
}) => {
  const { error, isBusy, run } = useChange(onClose, changes);
  return (
    <Window title={title} onClose={onClose} isBusy={isBusy} hasButtons>
      <p>
        <Text of={text} />
      </p>
      {error !== undefined && <ErrorLine error={error} isRepeatable={isRepeatable} />}
      <div className="actions">
        <QuietButton onClick={onClose} disabled={isBusy}>
          {t('Back')}
        </QuietButton>
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
  changes,
  isRepeatable = false,
  isDangerous = false,
  children,
}: {
  title: string;
  verb: string;
  onClose: () => void;
  submit: (fields: FormData) => Promise<unknown>;
  changes?: Changes;
  isRepeatable?: boolean;
  isDangerous?: boolean;
  children: ReactNode;
}) => {
  const { error, isBusy, run } = useChange(onClose, changes);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void run(() => submit(fields));
  };
  return (
    <Window title={title} onClose={onClose} isBusy={isBusy} hasButtons>
      <form onSubmit={send}>
        {children}
        {error !== undefined && <ErrorLine error={error} isRepeatable={isRepeatable} />}
        <div className="actions">
          <QuietButton onClick={onClose} disabled={isBusy}>
            {t('Back')}
          </QuietButton>
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
  const { kind, what, message, isOpen } = failureOf(error);
  const advice = isRepeatable
    ? 'Press again: it is done once.'
    : 'Close this and look before you try again.';
  return (
    <p className="error" role="alert">
      {isOpen
        ? `${what} ${t('It may have been done.')} ${t(advice)}`
        : kind === 'IDEMPOTENCY_KEY_REUSED'
          ? t(
              'The command that got no answer has been done, with other fields. Close this and look.',
            )
          : message}
    </p>
  );
};

/** A labelled field of several lines. Enter begins a new one; with Ctrl or Cmd it sends the form. */
export const LongField = ({
  label,
  ...input
}: { label: string; name: string } & React.TextareaHTMLAttributes<HTMLTextAreaElement>) => (
  <label className="field">
    <span>{t(label)}</span>
    <textarea
      rows={4}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget: { form } }) =>
        key === 'Enter' && (ctrlKey || metaKey) && form?.requestSubmit()
      }
      {...input}
    />
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
