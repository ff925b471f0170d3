/**
 * What the form of a step has before it is recorded: texts, ticks, photo, signature, scanned seals, a
 * file. The phone keeps each field when it changes, so a reload or an empty battery loses none.
 */
import { openStore } from './store.ts';

/** The largest file of a record, in bytes. */
export const fileMax = 5_000_000;
/** Files of all forms that the phone keeps, the newest ones. */
const filesMax = 10;

/** Names a form. */
export type FormKey = [driverId: string, orderId: string, step: string];

/** What the fields of one name had. */
export interface Draft {
  readonly key: [...FormKey, name: string];
  readonly values: readonly FormDataEntryValue[];
  /** In ms since the epoch. */
  readonly at: number;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Returns the range of all drafts of a form, an order or a driver. */
export const draftsOf = (...of: readonly string[]) => IDBKeyRange.bound(of, [...of, []]);

/** Returns the files of a form's values; an empty field has one without content. */
export const filesOf = (values: readonly FormDataEntryValue[]): readonly File[] =>
  values.filter((one) => one instanceof File && one.size > 0) as File[];

/** Fills a field as a person does, so that React reads it and the phone keeps it. */
export const fill = (field: Field | null, value: string | readonly File[]): void => {
  if (!field) return;
  const isFile = typeof value !== 'string';
  if (isFile) {
    const chosen = new DataTransfer();
    for (const file of value) chosen.items.add(file);
    (field as HTMLInputElement).files = chosen.files;
  } else {
    const property = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value')!;
    property.set!.call(field, value);
  }
  field.dispatchEvent(new Event(isFile ? 'change' : 'input', { bubbles: true }));
};

/**
 * Fills a form with what it had, and keeps what it has.
 * @returns what ends it.
 */
export const keepDraft = (form: HTMLFormElement, of: FormKey): (() => void) => {
  const ended = new AbortController();
  const { signal } = ended;
  let isFilling = false;
  const changed = ({ target }: Event) => {
    const { name } = target as Field;
    // a phone without space keeps no draft; the form still has it
    if (name && !isFilling)
      keep({ key: [...of, name], values: new FormData(form).getAll(name), at: Date.now() }).catch(
        () => {},
      );
  };
  for (const event of ['input', 'change']) form.addEventListener(event, changed, { signal });
  const restore = async () => {
    const drafts = await (await openStore()).getAll('drafts', draftsOf(...of));
    if (signal.aborted) return;
    isFilling = true;
    for (const { key, values } of drafts)
      for (const [at, field] of form.querySelectorAll<Field>(`[name="${key[3]}"]`).entries()) {
        if (field.type === 'checkbox') {
          if ((field as HTMLInputElement).checked !== values.includes(field.value)) field.click();
        } else fill(field, field.type === 'file' ? filesOf(values) : `${values[at] ?? ''}`);
      }
    isFilling = false;
  };
  void restore();
  return () => ended.abort();
};

const keep = async (draft: Draft): Promise<void> => {
  const drafts = (await openStore()).transaction('drafts', 'readwrite');
  const hasFile = ({ values }: Draft) => filesOf(values).length > 0;
  if (filesOf(draft.values).some(({ size }) => size > fileMax))
    await drafts.store.delete(draft.key);
  else await drafts.store.put(draft);
  // a text adds no file: typing reads no photo
  const withFile = hasFile(draft) ? (await drafts.store.getAll()).filter(hasFile) : [];
  const newest = withFile.toSorted((one, other) => other.at - one.at);
  for (const { key } of newest.slice(filesMax)) await drafts.store.delete(key);
  await drafts.done;
};
