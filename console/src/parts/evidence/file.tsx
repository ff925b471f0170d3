import type { ArtifactReference } from '@pto/proto/payloads';
import { createContext, useContext } from 'react';
import { failureOf } from '../../calls/failure.ts';
import { QuietButton } from '../quiet-button.tsx';
import { saveFile } from '../save-file.ts';
import { useCommand } from '../use-command.ts';
import { t } from '../words.ts';

/** Reads the content of a file that an entry of the shown order names. */
export const ReadFile = createContext<((sha256: string) => Promise<BlobPart>) | undefined>(
  undefined,
);

const endings: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
  // no spreadsheet opens it, which would compute the formulas of its sender
  'text/csv': 'csv.txt',
  'application/x-ndjson': 'ndjson',
};

/** Saves a file that an entry names, while it is retained. @param name what it is, in one word. */
export const EvidenceFile = ({
  of: { sha256, media_type: type, kept_until: keptUntil },
  name,
}: {
  of: ArtifactReference;
  name: string;
}) => {
  const read = useContext(ReadFile);
  const { error, isBusy, run } = useCommand(() => {});
  if (!read) return null;
  if (Date.parse(keptUntil) < Date.now())
    return (
      <p className="faint">
        {t('The file was retained until {day}.', { day: keptUntil.slice(0, 10) })}
      </p>
    );
  const file = `${name}-${sha256.slice(0, 12)}.${endings[type] ?? 'bin'}`;
  const save = async () => saveFile(file, type, await read(sha256));
  return (
    <p>
      <QuietButton className="small" disabled={isBusy} onClick={() => run(save)}>
        {t('Download the file')}
      </QuietButton>
      {error !== undefined && (
        <span className="error" role="alert">
          {failureOf(error).message}
        </span>
      )}
    </p>
  );
};
