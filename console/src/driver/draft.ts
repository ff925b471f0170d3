/** The texts of the form under way. They outlive another page, another language, and a reload. */
const stored = 'form';

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const fieldsOf = (form: HTMLFormElement): readonly Field[] => [
  ...form.querySelectorAll<Field>('input:not([type=file]), select, textarea'),
];
const textOf = (field: Field): string =>
  field.type === 'checkbox' ? `${(field as HTMLInputElement).checked}` : field.value;

/** Fills a field as a person does, so that React reads it. */
const fill = (field: Field, value: string): void => {
  if (textOf(field) === value) return;
  if (field.type === 'checkbox') {
    field.click();
    return;
  }
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!.set!.call(field, value);
  field.dispatchEvent(new Event('input', { bubbles: true }));
};

/**
 * Fills a form with what it had, and keeps what it has when it or the page goes.
 * @param of names the form. The texts of one form are kept.
 * @returns what ends it.
 */
export const keepDraft = (form: HTMLFormElement, of: string): (() => void) => {
  const before = JSON.parse(sessionStorage.getItem(stored) ?? '{}');
  if (before.of === of)
    for (const [at, field] of fieldsOf(form).entries()) fill(field, before.values[at] ?? '');
  const keep = () => {
    const values = fieldsOf(form).map(textOf);
    sessionStorage.setItem(stored, JSON.stringify({ of, values }));
  };
  document.addEventListener('visibilitychange', keep);
  return () => {
    document.removeEventListener('visibilitychange', keep);
    keep();
  };
};

/** Forgets the texts: the shift has ended. */
export const forgetDraft = (): void => sessionStorage.removeItem(stored);
