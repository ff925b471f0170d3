/** Declares a document as PDF/A-3a (ISO 19005-3), with the proof file inside of it. */
import { readFileSync } from 'node:fs';

/** pdfkit's own way to PDF/A reads the profile from beside its code, which a bundle does not have. */
const profile = new URL(
  '../../../../node_modules/pdfkit/js/data/sRGB_IEC61966_2_1.icc',
  import.meta.url,
);

const identification = `
  <rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" rdf:about="">
    <pdfaid:part>3</pdfaid:part>
    <pdfaid:conformance>A</pdfaid:conformance>
  </rdf:Description>`;

type Internals = {
  readonly _root: { readonly data: Record<string, unknown> };
  readonly appendXML: (xml: string) => void;
};

/** Adds the identification and the color space. */
export const declarePdfA = (doc: PDFKit.PDFDocument): void => {
  const { _root: root } = doc as unknown as Internals;
  const bytes = readFileSync(profile);
  const space = doc.ref({ Length: bytes.length, N: 3 });
  space.end(bytes);
  const name = new String('sRGB IEC61966-2.1');
  const intent = doc.ref({
    ...{ Type: 'OutputIntent', S: 'GTS_PDFA1', Info: name, OutputConditionIdentifier: name },
    DestOutputProfile: space,
  });
  (intent.end as () => void).call(intent);
  root.data.OutputIntents = [intent];
  (doc as unknown as Internals).appendXML(identification);
};

/** Returns a text without the signs that would be markup in the document's metadata. */
export const metadataText = (text: string): string => text.replace(/[&<>]/g, ' ');
