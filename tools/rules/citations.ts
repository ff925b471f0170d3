import { posix } from 'node:path';

/** The sections that the contract has: a heading `## 6.`, or the first cell of a row, `6.2` or `5.1 to 5.4`. */
const sectionsOf = (contract: string): ReadonlySet<string> => {
  const headings = [...contract.matchAll(/^## (\d+)\./gm)].map(([, section]) => section!);
  const rows = [...contract.matchAll(/^\| (\d+(?:\.\d+)*)(?: to (\d+\.\d+))? \|/gm)];
  const spans = rows.flatMap(([, first = '', last = first]) => {
    const [chapter] = first.split('.');
    const [from, to] = [first, last].map((section) => Number(section.split('.')[1]));
    if (first === last) return [first];
    return Array.from({ length: to! - from! + 1 }, (_, n) => `${chapter}.${from! + n}`);
  });
  return new Set([...headings, ...spans]);
};

/** @throws Error for a number that two rows have: a citation of it would be ambiguous. */
const numbersOf = (decisions: string): ReadonlySet<string> => {
  const numbers = [...decisions.matchAll(/^\| (\d+) \|/gm)].map(([, number]) => number!);
  const twice = numbers.filter((number, n) => numbers.indexOf(number) !== n);
  if (twice.length > 0) throw new Error(`decisions with one number: ${twice.join(', ')}`);
  return new Set(numbers);
};

/** Returns a check that lists the sections and decisions that a text cites and that do not exist. */
export const citationsCheck = (contract: string, decisions: string) => {
  const [sections, numbers] = [sectionsOf(contract), numbersOf(decisions)];
  return (text: string): string[] => unknownCitations(text, sections, numbers);
};

const unknownCitations = (
  text: string,
  sections: ReadonlySet<string>,
  numbers: ReadonlySet<string>,
): string[] => {
  const words =
    /\b(contract|decisions?)\s+(\d+(?:\.\d+)*)((?:,? (?:and|to) |, )(\d+(?:\.\d+)*))?/gi;
  return [...text.matchAll(words)].flatMap(([, word = '', first = '', , second]) => {
    const isContract = word.toLowerCase() === 'contract';
    const known = isContract ? sections : numbers;
    const cited = [first, ...(second !== undefined && word !== 'decision' ? [second] : [])];
    return cited
      .filter((number) => !known.has(number))
      .map((number) => `${isContract ? 'contract' : 'decision'} ${number}`);
  });
};

/** Returns a check that lists the relative links of a document to no file or folder of the repository. */
export const linksCheck = (files: readonly string[]) => {
  const known = new Set(files.flatMap((file) => [file, ...parentsOf(file)]));
  return (path: string, text: string): string[] => brokenLinks(path, text, known);
};

const brokenLinks = (path: string, text: string, known: ReadonlySet<string>): string[] => {
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link!)
    .filter((link) => !/^([a-z]+:|#|\/)/.test(link))
    .filter((link) => {
      const target = posix.normalize(
        posix.join(posix.dirname(path), link.split('#')[0]!).replace(/\/$/, ''),
      );
      return !known.has(target);
    });
};

const parentsOf = (file: string): string[] => {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, n) => parts.slice(0, n + 1).join('/'));
};
