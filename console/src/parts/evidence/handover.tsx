import type { HandoverPayload, SealMismatchPayload } from '@pto/proto/payloads';
import { wordOf } from '../badge.tsx';
import { Text } from '../text.tsx';
import { visibleText } from '../visible-text.ts';
import { t } from '../words.ts';
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
      <span className="badge plain">{wordOf(stage)}</span>
      <span>
        <Text of={from.party} />{' '}
        <span className="faint">
          (<Text of={words(from.role, fromPerson)} />)
        </span>
      </span>
      <span aria-hidden="true">→</span>
      <span className="hidden">{t('handed over to')}</span>
      <span>
        <Text of={to.party} />{' '}
        <span className="faint">
          (<Text of={words(to.role, toPerson)} />)
        </span>
      </span>
    </p>
    <p className="faint">
      {t('Confirmed by')} {methods.map(wordOf).join(', ')}
      {artifact && `, ${t('with a file')} (${artifact.media_type})`}
      {seals && `; ${t('seals scanned')}: ${visibleText(seals.join(', ')) || t('none')}`}
    </p>
    {artifact && <EvidenceFile of={artifact} name="handover" />}
  </div>
);

const words = (role: string, person: string | undefined): string =>
  person === undefined ? wordOf(role) : `${wordOf(role)}, ${person}`;

/** Returns the differences between the seals of the goods and the scanned ones, in words. */
export const differenceOf = ({
  missing_seal_ids: missing,
  unexpected_seal_ids: unexpected,
}: SealMismatchPayload): string =>
  [
    missing.length > 0 ? `${t('missing')}: ${visibleText(missing.join(', '))}` : '',
    unexpected.length > 0 ? `${t('unexpected')}: ${visibleText(unexpected.join(', '))}` : '',
  ]
    .filter(Boolean)
    .join('; ');

/** At which handover the seals differed, and how. */
export const Mismatch = ({ of }: { of: SealMismatchPayload }) => (
  <p className="evidence out">
    {t('At the {stage}', { stage: wordOf(of.stage) })} {differenceOf(of)}
  </p>
);
