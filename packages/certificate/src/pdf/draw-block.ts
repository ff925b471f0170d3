import type { Block } from '../document.ts';
import { drawChart } from './draw-chart.ts';
import { drawPicture } from './draw-picture.ts';
import { drawQr } from './draw-qr.ts';
import { drawTable, startHeight } from './draw-table.ts';
import { drawFacts, drawHeading, drawList, drawNotice, drawParagraph } from './draw-text.ts';
import type { Sheet } from './sheet.ts';

/** Draws a block of a certificate below the ones before. @param next the block after it. */
export const drawBlock = (sheet: Sheet, block: Block, next?: Block): void => {
  const below = next?.kind === 'table' ? startHeight(sheet, next) : 0;
  switch (block.kind) {
    case 'heading':
      drawHeading(sheet, block.text, true, below);
      break;
    case 'subheading':
      drawHeading(sheet, block.text, false, below);
      break;
    case 'paragraph':
      drawParagraph(sheet, block.text);
      break;
    case 'notice':
      drawNotice(sheet, block);
      break;
    case 'facts':
      drawFacts(sheet, block.facts);
      break;
    case 'list':
      drawList(sheet, block.items);
      break;
    case 'table':
      drawTable(sheet, block);
      break;
    case 'chart':
      drawChart(sheet, block);
      break;
    case 'qr':
      drawQr(sheet, block);
      break;
    case 'picture':
      drawPicture(sheet, block);
      break;
  }
};
