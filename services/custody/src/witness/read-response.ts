/** Interprets a witness's response to `add-checkpoint` (C2SP tlog-witness). */
import {
  type Cosignature,
  cosignaturesOf,
  parseNote,
  Rejection,
  type WitnessKey,
} from '@pto/custody-verifier';

export interface HttpResponse {
  readonly status: number;
  /** The body as text, of a bounded size. */
  readonly body: string;
}

export type Meaning =
  | {
      readonly kind: 'cosigned';
      /** The signature line, with its newline. */
      readonly line: string;
      /** Seconds since the epoch. */
      readonly time: number;
    }
  | {
      readonly kind: 'conflict';
      /** The size that the witness cosigned last. */
      readonly size: number;
    }
  /** The witness knows a log that contradicts this one. */
  | { readonly kind: 'contradiction'; readonly detail: string }
  /** The witness rejects the log or its key, is overloaded, or does not follow the protocol. */
  | { readonly kind: 'failure'; readonly detail: string };

/**
 * Interprets a witness's response. A cosignature that is not valid is ignored.
 * @param note the checkpoint that was submitted, a signed note.
 */
export const readResponse = async (
  { status, body }: HttpResponse,
  note: string,
  witness: WitnessKey,
): Promise<Meaning> => {
  if (status === 200) return await readCosignature(body, note, witness);
  if (status === 409) return readConflict(body);
  if (status === 422)
    return { kind: 'contradiction', detail: 'the witness rejects a correct consistency proof' };
  return { kind: 'failure', detail: details[status] ?? `unexpected status ${status}` };
};

const details: Readonly<Record<number, string>> = {
  403: 'the witness does not trust the key of the log',
  404: 'the witness does not accept the log',
};

/**
 * Interprets a conflict. Some witnesses send no size if they have cosigned another log of the
 * submitted size.
 */
const readConflict = (body: string): Meaning => {
  const [, size] = /^(0|[1-9]\d{0,15})\n?$/.exec(body) ?? [];
  return size !== undefined && Number.isSafeInteger(Number(size))
    ? { kind: 'conflict', size: Number(size) }
    : { kind: 'contradiction', detail: 'the witness knows another log of this size' };
};

/**
 * Finds the witness's cosignature. A witness with several keys sends a line for each; lines of
 * other keys are ignored.
 */
const readCosignature = async (
  body: string,
  note: string,
  witness: WitnessKey,
): Promise<Meaning> => {
  const { text } = parseNote(note);
  const own = body.split('\n').filter((line) => line.startsWith(`\u2014 ${witness.name} `));
  for (const line of own.slice(0, linesMax)) {
    const found = await cosignatureOn(`${text}\n${line}\n`, witness);
    if (found) return { kind: 'cosigned', line: `${line}\n`, time: found.time };
  }
  return { kind: 'failure', detail: 'the response has no valid cosignature of the witness' };
};

const linesMax = 10;

const cosignatureOn = async (note: string, witness: WitnessKey): Promise<Cosignature | null> => {
  try {
    return (await cosignaturesOf(note, [witness]))[0] ?? null;
  } catch (error) {
    if (error instanceof Rejection) return null;
    throw error;
  }
};
