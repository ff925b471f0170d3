/** Writes what the clients have of the OpenAPI document. `--check` reports files that differ. */
import { writeOrCheck } from '../write-or-check.ts';
import { generatedFiles } from './generated-files.ts';

writeOrCheck('generate:clients', generatedFiles());
