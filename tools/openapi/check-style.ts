/** Reports what Redocly `recommended-strict` and Spectral `oas` find in the OpenAPI document. */
import { documentText } from './gateway-document.ts';
import { lint } from './lint.ts';

const faults = await lint(documentText);
for (const fault of faults) process.stdout.write(`${fault}\n`);
if (faults.length > 0) process.exitCode = 1;
