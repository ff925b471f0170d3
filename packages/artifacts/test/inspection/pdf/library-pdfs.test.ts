import { describe, expect, test } from '@jest/globals';
import { PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';
import { jpeg } from '../pictures.ts';
import { inspect } from './written-pdf.ts';

const document = async (): Promise<PDFDocument> => {
  const pdf = await PDFDocument.create();
  pdf.setTitle('Handover 1 0 obj of trailer 7 (copy)');
  const font = await pdf.embedFont(StandardFonts.TimesRoman);
  const picture = await pdf.embedJpg(new Uint8Array(jpeg()));
  for (let n = 0; n < 60; n++) {
    const page = pdf.addPage();
    page.drawText('Received by the ward', { font });
    page.drawImage(picture);
  }
  pdf.getForm().createTextField('name').addToPage(pdf.getPage(0));
  return pdf;
};

describe.each([true, false])('a PDF of pdf-lib (object streams: %s)', (useObjectStreams) => {
  const saved = async (change: (pdf: PDFDocument) => unknown = () => {}): Promise<Uint8Array> => {
    const pdf = await document();
    await change(pdf);
    return pdf.save({ useObjectStreams });
  };

  test('is accepted with fonts, pictures and a form', async () => {
    const bytes = await saved();
    expect(inspect(bytes)).toMatchObject({ size: bytes.length, mediaType: 'application/pdf' });
  });

  test('is accepted when another program has appended an update', async () => {
    const bytes = Buffer.from(await saved())
      .toString('latin1')
      .trimEnd();
    const update = '1 0 obj\n<</Lang(en)>>\nendobj\nstartxref\n0\n%%EOF';
    inspect(Buffer.from(`${bytes}${update}`, 'latin1'));
    expect(() =>
      inspect(Buffer.from(`${bytes}${update.replace('/Lang', '/JS')}`, 'latin1')),
    ).toThrow('contains /JS');
  });

  test('is rejected with a script', async () => {
    const bytes = await saved((pdf) => pdf.addJavaScript('main', 'app.alert(1)'));
    expect(() => inspect(bytes)).toThrow(/contains \/(JS|JavaScript), which is not permitted/);
  });

  test('is rejected with an attached file', async () => {
    const bytes = await saved((pdf) => pdf.attach(Buffer.from('MZ'), 'a.exe'));
    expect(() => inspect(bytes)).toThrow('contains /EmbeddedFile');
  });

  const opening = (action: Record<string, unknown>) =>
    saved((pdf) => {
      const value = pdf.context.obj(action as never);
      pdf.catalog.set(PDFName.of('OpenAction'), pdf.context.register(value));
    });

  test('is accepted when opening it jumps to a page', async () => {
    inspect(await opening({ S: 'GoTo', D: [0, 'Fit'] }));
  });

  test('is rejected when opening it visits an address', async () => {
    const bytes = await opening({ S: 'URI', URI: PDFHexString.fromText('https://example.test') });
    expect(() => inspect(bytes)).toThrow('an /OpenAction that is no jump to a page');
  });
});
