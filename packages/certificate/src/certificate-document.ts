import type { CertificateDocument } from './document.ts';
import { textOf } from './history/members.ts';
import { subjectOf } from './history/subject.ts';
import type { CertificateInput } from './input.ts';
import { conditionsSection } from './sections/conditions.ts';
import { erasuresSection } from './sections/erasures.ts';
import { handoversSection } from './sections/handovers.ts';
import { historySection } from './sections/history.ts';
import { incidentsSection } from './sections/incidents.ts';
import { orderSection } from './sections/order.ts';
import { proofSection } from './sections/proof.ts';
import { verdictSection } from './sections/verdict.ts';

/**
 * Returns the certificate as a document in one language, the same for HTML and PDF.
 * @throws Error if order, proof and verdict are not about the same history
 */
export const certificateDocument = (input: CertificateInput): CertificateDocument => {
  const subject = subjectOf(input);
  const { texts, order, proof, entries, verdict } = subject;
  const issuer = issuerOf(input.verifyUrl);
  const [id, externalId] = [textOf(order.id), textOf(order.external_id)];
  return {
    language: input.language,
    title: texts.titles[verdict.verdict],
    subtitle: [
      `${texts.order.id} ${id}`,
      ...(externalId === '' ? [] : [`${texts.order.externalId} ${externalId}`]),
      ...(issuer === '' ? [] : [texts.issuedBy(issuer)]),
    ].join(' · '),
    blocks: [
      ...verdictSection(subject),
      ...orderSection(subject),
      ...handoversSection(subject),
      ...conditionsSection(subject),
      ...incidentsSection(subject),
      ...erasuresSection(subject),
      ...proofSection(subject, input.verifyUrl),
      ...historySection(subject),
    ],
    subject: `${texts.order.id} ${id}`,
    footer: texts.footer(id, textOf(proof.head_hash)),
    pageOf: texts.pageOf,
    missingGlyphs: texts.missingGlyphs,
    proofFile: {
      name: `custody-proof-${id.replace(/[^\w-]/g, '_')}.json`,
      description: texts.proof.fileDescription,
      text: JSON.stringify(input.proof),
    },
    lastAt: entries.at(-1)?.at ?? textOf(order.created_at),
  };
};

/** Returns the host that issues the certificate; empty if its address is not known. */
const issuerOf = (verifyUrl: string | null): string =>
  verifyUrl !== null && URL.canParse(verifyUrl) ? new URL(verifyUrl).host : '';
