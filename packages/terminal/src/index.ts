export {
  readTextFile,
  readTextFileSync,
  readTextStream,
  textOf,
  UnreadableText,
} from './read-text.ts';
export { printedLines, tableLines } from './table.ts';
export { ask, askHidden, Interrupted, NotShown, note, progress, writeLines } from './writer.ts';
