import type { Block } from '../document.ts';
import { palette } from '../palette.ts';
import { modulesPath, qrModules } from '../qr-modules.ts';
import type { Sheet, TextStyle } from './sheet.ts';
import { writeLines } from './sheet.ts';

const size = 96;
const gap = 14;
const style: TextStyle = { size: 9, color: palette.ink };

/** Draws a QR code with lines of text to the right of it. */
export const drawQr = (
  sheet: Sheet,
  { url, name, lines }: Extract<Block, { kind: 'qr' }>,
): void => {
  const { doc, tags } = sheet;
  const modules = qrModules(url);
  const scale = size / modules.length;
  sheet.skip(4);
  sheet.need(size);
  const top = sheet.y();
  const draw = () => {
    doc.save().translate(sheet.left, top).scale(scale);
    doc.path(modulesPath(modules)).fill('#000000').restore();
  };
  tags.within('Figure', () => tags.mark(draw), { alt: name });
  const x = sheet.left + size + gap;
  for (const line of lines) {
    const wrapped = sheet.wrap(line, sheet.width - size - gap, style);
    tags.within('P', () => writeLines(sheet, wrapped, x, style));
    sheet.skip(3);
  }
  sheet.skip(Math.max(0, top + size - sheet.y()));
};
