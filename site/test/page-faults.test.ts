import { expect, test } from '@jest/globals';
import { pageFaults } from '../src/output/page-faults.ts';

const page = (url: string, content: string) => ({ url, inputPath: '', content });
const target = page('/guides/orders', '<h2 id="drafts">Drafts</h2>');

test.each([
  ['/guides/orders', []],
  ['/guides/orders#drafts', []],
  ['/openapi.json', []],
  ['/assets/a.js', []],
  ['#here', []],
  ['https://example.com/x', []],
  ['/guides/order', ['/: the link /guides/order leads to no page']],
  ['/guides/orders#draft', ['/: the link /guides/orders#draft names no section']],
  ['#there', ['/: the link #there names no section']],
  ['orders.md', ['/: the link orders.md leads to no page']],
])('a link to %s has the faults %j', (link, faults) => {
  const source = page('/', `<p id="here"><a href="${link}">x</a></p>`);
  expect(pageFaults([source, target], ['/assets/a.js'])).toEqual(faults);
});

test.each([
  ['<script>alert(1)</script>', 1],
  ['<style>p{}</style>', 1],
  ['<p style="color:red">', 1],
  ['<p onclick="x()">', 1],
  ['<script src="/assets/a.js"></script>', 0],
])('%s has %d parts that the policy forbids', (html, count) => {
  expect(pageFaults([page('/', html)], ['/assets/a.js'])).toHaveLength(count);
});
