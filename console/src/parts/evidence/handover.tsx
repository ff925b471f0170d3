import type { HandoverPayload, SealMismatchPayload } from '@pto/proto/payloads';
import { Text } from '../text.tsx';
import { visibleText } from '../visible-text.ts';
import { EvidenceFile } from './file.tsx';

/** Who handed the goods to whom, and how that was confirmed. */
export const Handover = ({
  of: { stage, from, to, methods, scanned_seal_ids: seals, artifact },
  fromPerson,
  toPerson,
}: {
  of: HandoverPayload;
  fromPerson: string | undefined;
  toPerson: string | undefined;
}) => (
  <div className="evidence">
    <p className="parties">
      <span className="badge plain">{stage}</span>
      <span>
        <Text of={from.party} />{' '}
        <span className="faint">
          (<Text of={words(from.role, fromPerson)} />)
        </span>
      </span>
      <span aria-hidden="true">→</span>
      <span className="hidden">handed over to</span>
      <span>
        <Text of={to.party} />{' '}
        <span className="faint">
          (<Text of={words(to.role, toPerson)} />)
        </span>
      </span>
    </p>
    <p className="faint">
      Confirmed by {methods.map((method) => method.replaceAll('_', ' ')).join(', ')}
      {artifact && `, with a file (${artifact.media_type})`}
      {seals && `; seals scanned: ${visibleText(seals.join(', ')) || 'none'}`}
    </p>
    {artifact && <EvidenceFile of={artifact} name="handover" />}
  </div>
);

const words = (role: string, person: string | undefined): string =>
  person === undefined ? role : `${role}, ${person}`;

/** Differences between the seals of the goods and the scanned ones. */
export const Mismatch = ({
  of: { stage, missing_seal_ids: missing, unexpected_seal_ids: unexpected },
}: {
  of: SealMismatchPayload;
}) => (
  <p className="evidence out">
    At the {stage}
    {missing.length > 0 && ` missing: ${visibleText(missing.join(', '))}`}
    {missing.length > 0 && unexpected.length > 0 && ';'}
    {unexpected.length > 0 && ` unexpected: ${visibleText(unexpected.join(', '))}`}
  </p>
);
