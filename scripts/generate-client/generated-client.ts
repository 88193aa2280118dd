import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from '@fairlead/server/openapi';
import { type OpenApiDocument, renderClient } from './render.ts';

const root = new URL('../../', import.meta.url);
export const generatedFile = fileURLToPath(new URL('packages/client/src/generated.ts', root));

/** The generated module for the document of the server in this tree, formatted as all code is. */
export function generatedClient(): string {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(openApiDocument('v1')));
  return execFileSync(
    fileURLToPath(new URL('node_modules/.bin/biome', root)),
    ['format', `--stdin-file-path=${generatedFile}`],
    { input: renderClient(document), cwd: root, encoding: 'utf8' },
  );
}
